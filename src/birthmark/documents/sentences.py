"""Findings of a scan as sentences for reviewers: "body changed by 3f2a1b9c0d12 (Fix rounding)".

Takes findings; gives texts without markup, or with that of a Style, which is applied to all that comes from a
repository. Terminal, Markdown, annotations, messages and JSON say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from birthmark.documents.wording import (
    accepted_location,
    given_ref,
    is_reported,
    name_of,
    plain,
    state_name,
)
from birthmark.sources.git.log import Commit
from birthmark.subscriptions.model import (
    NOT_INDEXED,
    ChangedPlace,
    DocLink,
    Explanation,
    Finding,
    Proposal,
    ScanReport,
    Subscription,
    Trigger,
)
from birthmark.vocabulary import (
    AnchorStatus,
    ChangeType,
    ComparedWith,
    Confidence,
    HistoryChange,
    ScanReason,
    SubscriptionTarget,
)
from birthmark.words import count, lines_of, short

if TYPE_CHECKING:
    from birthmark.documents.scans import DocLinkDocument


class Style(NamedTuple):
    """The markup for names, for locations and for text from a repository."""

    code: Callable[[str], str]
    text: Callable[[str], str]


PLAIN = Style(plain, plain)

_ASPECTS: dict[str, str] = {
    ScanReason.INTERFACE_CHANGED: "interface",
    ScanReason.BODY_CHANGED: "body",
    ScanReason.DOCUMENTATION_CHANGED: "documentation",
    ScanReason.FORMATTING_CHANGED: "formatting or comments",
    ScanReason.WHITESPACE_CHANGED: "white space",
}
_WHOLE: dict[str, str] = {
    ScanReason.TARGET_MISSING: "deleted",
    ScanReason.FILE_DELETED: "deleted with its file",
    ScanReason.FILE_NOT_FOUND: "cannot be read any more",
    ScanReason.LINES_MISSING: "its lines are gone",
    ScanReason.DUPLICATE_FOUND: "gone, and several could be its successor",
    ScanReason.OVERLAP: "lines changed",
    ScanReason.INSERT_INSIDE: "lines inserted",
}
_NOUNS = {SubscriptionTarget.PATTERN: "match", SubscriptionTarget.USERS: "user"}
_INHERITED = "inherited"
_MOVES = (HistoryChange.RENAME, HistoryChange.MOVED, HistoryChange.CONTAINER)
_DELETED = (ScanReason.TARGET_MISSING, ScanReason.FILE_DELETED, ScanReason.LINES_MISSING)


def title(found: Finding, style: Style = PLAIN) -> str:
    """Return the name of the subject and its change."""
    return f"{subject_name(found.subscription, style)}: {sentence(found, style)}"


def subject_name(subscription: Subscription, style: Style = PLAIN) -> str:
    """Its qualified name; the location of lines, the pattern."""
    name = name_of(subscription) or str(accepted_location(subscription))
    prefix = "users of " if subscription.target is SubscriptionTarget.USERS else ""
    return prefix + style.code(name if name.strip() else given_ref(subscription))


def sentence(found: Finding, style: Style = PLAIN) -> str:
    """Describe the change."""
    if found.trigger is None:
        return _without_trigger(found, style)
    moved = move(found.proposal, style) if found.proposal is not None and not is_shift(found.proposal) else ""
    changed = f"{_changes(found.subscription, found.trigger, style)}{cause(found.trigger, style)}"
    return ", ".join(part for part in (moved, changed) if part)


def _without_trigger(found: Finding, style: Style) -> str:
    if found.locations:
        return f"gone, and may be one of {listed([style.code(location) for location in found.locations])}"
    return move(found.proposal, style) if found.proposal is not None else "unchanged"


def _changes(subscription: Subscription, trigger: Trigger, style: Style) -> str:
    aspects = [_ASPECTS[reason] for reason in trigger.reasons if reason in _ASPECTS]
    only = "only " if trigger.change_type is ChangeType.COSMETIC else ""
    clauses = [f"{only}{_joined(aspects)} changed"] if aspects else []
    whole = [_WHOLE[reason] for reason in trigger.reasons if reason in _WHOLE]
    parts = ", ".join(_parts(_NOUNS.get(subscription.target, "member"), trigger.details, style))
    said = "; ".join([*clauses, *whole[-1:], *([parts] if parts else [])])
    return said or style.text(", ".join(trigger.reasons))


def _parts(noun: str, details: Mapping[str, object], style: Style) -> Iterator[str]:
    """`member tax added`, `3 members changed`, `2 removed`."""
    is_named = False
    for word, found in details.items():
        items = list(found) if isinstance(found, list | tuple) else [found]
        if not items or word == "locations":
            continue
        what, done = f"inherited {noun}" if word == _INHERITED else noun, style.text(_word(word))
        if len(items) == 1:
            yield f"{what} {_item_name(items[0], style)} {'moved' if _is_move(items[0]) else done}"
        else:
            yield f"{count(len(items), what) if what != noun or not is_named else f'{len(items):,}'} {done}"
            is_named = True


def _item_name(item: object, style: Style) -> str:
    if not isinstance(item, dict):
        return style.code(_bare(str(item)))
    if "from" in item and "to" in item and not _is_move(item):
        return f"{style.code(_bare(str(item['from'])))} to {style.code(_bare(str(item['to'])))}"
    return style.code(_bare(str(item.get("name", item.get("to", item)))))


def _is_move(item: object) -> bool:
    """Return whether the item has the same name as before, in another file."""
    return isinstance(item, dict) and "to" in item and _bare(str(item["from"])) == _bare(str(item["to"]))


def _word(change: str) -> str:
    return "changed" if change == _INHERITED else change


def _bare(name: str) -> str:
    """Without its path, which is said elsewhere."""
    return name.partition("::")[2] or name


def _joined(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# Commits


def cause(trigger: Trigger, style: Style = PLAIN) -> str:
    """By which commits, as the end of a sentence; nothing where that is not known."""
    is_deletion = not set(_DELETED).isdisjoint(trigger.reasons)
    by = _by(trigger.explanation, "in" if is_deletion else "by", style)
    is_whole = trigger.change_type is not ChangeType.AGGREGATE or all(one.explanation for one in trigger.places)
    return by if is_whole or not by else f", among others{by}"


def place_cause(place: ChangedPlace, style: Style = PLAIN) -> str:
    return _by(place.explanation, "in" if place.change == "removed" else "by", style)


def _by(explanation: Explanation | None, preposition: str, style: Style) -> str:
    if explanation is None:
        return ""
    commits, uncommitted = explanation.commits, "in the worktree, not committed"
    if not commits:
        return f" {uncommitted}" if explanation.is_uncommitted else ""
    last = _commit(commits[0], style)
    by = last if len(commits) == 1 else f"{count(len(commits), 'commit')}, the last {last}"
    further = ", then in the worktree" if explanation.is_uncommitted else ""
    return f" {preposition} {by}{further}"


def _commit(commit: Commit, style: Style) -> str:
    return f"{short(commit.id)} ({style.text(commit.subject)})" if commit.subject else short(commit.id)


def signatures(explanation: Explanation | None, style: Style = PLAIN) -> list[str]:
    """The old and the new one, if they differ."""
    if explanation is None or explanation.old_signature is None or explanation.new_signature is None:
        return []
    return [f"was {style.code(explanation.old_signature)}", f"now {style.code(explanation.new_signature)}"]


def place_sentence(place: ChangedPlace, style: Style = PLAIN) -> str:
    """`Cart.tax: added by 3f2a1b9c0d12 (Tax the cart)`."""
    name = style.code(place.name) if place.name else "top level of the file"
    return f"{name}: {_place_word(place, style)}{place_cause(place, style)}"


def _place_word(place: ChangedPlace, style: Style) -> str:
    """`renamed from total`, `moved from cart.py`, or both; else the word of the change."""
    before = place.before
    if place.change != "renamed" or before is None:
        return style.text(_word(place.change))
    renamed = f"renamed from {style.code(before.qualified_name)}" if before.qualified_name != place.name else ""
    moved = f"moved from {style.code(before.path)}" if before.path != place.path else ""
    return " and ".join(part for part in (renamed, moved) if part) or style.text(place.change)


# Moves


def is_shift(proposal: Proposal) -> bool:
    """Return whether only the line numbers changed."""
    return proposal.reasons == (ScanReason.LINE_SHIFT,)


def move(proposal: Proposal, style: Style = PLAIN) -> str:
    """Describe the new location, with its confidence unless that is high."""
    sure = "" if proposal.confidence == Confidence.HIGH else f" ({style.text(proposal.confidence)} confidence)"
    return f"{_moved(proposal, style)}{sure}"


def _moved(proposal: Proposal, style: Style) -> str:
    name = style.code(proposal.new_qualname) if proposal.new_qualname else ""
    if is_shift(proposal):
        return f"shifted to {_lines(proposal)}"
    if proposal.new_path == proposal.old_path:
        return f"renamed to {name}" if name else f"now at {_lines(proposal)}"
    file = "moved with its file to" if ScanReason.RENAME in proposal.reasons else "moved to"
    return f"{file} {style.code(proposal.new_path)}{f' as {name}' if name else ''}"


def _lines(proposal: Proposal) -> str:
    noun = "line" if proposal.new_start == proposal.new_end else "lines"
    return f"{noun} {lines_of(proposal.new_start, proposal.new_end)}"


# What was compared with what


def span(report: ScanReport, style: Style = PLAIN) -> str:
    """`the worktree compared with what was accepted`."""
    base, target = style.text(state_name(report.base)), style.text(state_name(report.target))
    if not report.is_base_named:
        return f"{target} compared with what was accepted"
    triggers = [found.trigger for found in report.findings if found.trigger is not None and is_reported(found)]
    others = sum(trigger.compared_with is ComparedWith.ACCEPTED for trigger in triggers)
    exception = f", {count(others, 'trigger')} with what was accepted" if others else ""
    return f"{target} compared with {base}{exception}"


def comparison_note(report: ScanReport, found: Finding) -> str:
    """Explain that the accepted state was compared, because the named base lacks the target."""
    if not report.is_base_named or found.trigger is None or found.trigger.compared_with is ComparedWith.BASE:
        return ""
    revision = found.subscription.accepted.revision
    at = f" at {short(revision)}" if revision else ""
    return f"compared as accepted{at}, because {state_name(report.base)} lacks it"


# Documents


def doc_sentence(link: DocLink | DocLinkDocument, style: Style = PLAIN) -> str:
    """Describe the change of a definition that a document names, and the edit that the document needs."""
    since = f" since {short(link.since)}" if link.since else ", not committed yet"
    others = [word for word in link.reasons if link.status is not AnchorStatus.MOVED or word not in _MOVES]
    changes = f" ({style.text(', '.join(others))})" if others else ""
    to = f" to {style.code(link.replacement or link.now or '')}"
    says = {
        AnchorStatus.CURRENT: "is as described",
        AnchorStatus.CHANGED: f"has changed{since}{changes}",
        AnchorStatus.MOVED: f"has moved{to}{since}{changes}",
        AnchorStatus.GONE: f"was deleted{since}",
        AnchorStatus.AMBIGUOUS: "is the name of several definitions",
        AnchorStatus.UNKNOWN: "names nothing, and named nothing when it was written",
    }
    if link.status is AnchorStatus.UNKNOWN and NOT_INDEXED in link.reasons:
        return f"{style.code(link.ref)} needs an index to be found; run `birthmark index`, or write path::name"
    done = (
        "; rewritten"
        if link.fixed
        else f"; `--fix` leaves it: {style.text(link.kept_because)}"
        if link.kept_because
        else ""
    )
    return f"{style.code(link.ref)} {says[link.status]}{done}"


# In numbers


def listed(texts: Iterable[str]) -> str:
    """`a, b or c`."""
    found = list(texts)
    return " or ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
