"""A scan's report as Markdown for people.

Names and locations are in code spans, labels are escaped: nothing that comes from a repository can break out of its
line, become a heading, a link or a mention. There are no tables, so a pipe is harmless in a code span.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from birthmark.comparison.patch import PatchHunk
from birthmark.documents.scans import DocLinkDocument
from birthmark.documents.sentences import (
    Style,
    comparison_note,
    doc_sentence,
    is_shift,
    move,
    place_sentence,
    sentence,
    signatures,
    span,
    subject_name,
    title,
)
from birthmark.documents.wording import (
    MANY,
    LineRange,
    abridged,
    accepted_location,
    current_location,
    details_of,
    given_ref,
    is_reported,
    name_of,
    old_location,
    place_location,
    plain,
    proposed,
    quiet_ambiguous,
)
from birthmark.model import Problem
from birthmark.subscriptions.model import DocLink, Explanation, Finding, Proposal, ScanReport, Subscription, Trigger
from birthmark.vocabulary import Muted, ScanReason
from birthmark.words import count, visible

SCAN_MARKER = "<!-- birthmark-scan -->"
REVIEW_MARKER = "<!-- birthmark-review -->"
_LIMIT = 65_536  # GitHub's; GitLab takes more
_ITEM = "- "


# An underscore between word characters is no markup, so reasons are written as everywhere.
_SPECIAL = re.compile(r"[\\`*\[\]|~$#]|(?<![^\W_])_|_(?![^\W_])")
_LONG_LINE = 300  # characters of a line of code that are shown
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\N{ZERO WIDTH SPACE}"})


def write_comment(marker: str, markdown: str) -> str:
    """The body of a comment, cut where it would be refused: whole items, and how many more there are."""
    text = f"{marker}\n{markdown}"
    if _width(text) <= _LIMIT:
        return text
    blocks = re.split(r"(?<=\n)(?! )", text)  # A line with those that are indented under it.
    room, kept = _LIMIT - 100, 0
    while kept < len(blocks) and _width(blocks[kept]) <= room:
        room -= _width(blocks[kept])
        kept += 1
    rest = sum(block.startswith(_ITEM) for block in blocks[kept:])
    return f"{''.join(blocks[:kept]).rstrip()}\n\n… and {rest:,} more\n"


def _width(text: str) -> int:
    """In UTF-16, the most that GitHub may count."""
    return len(text.encode("utf-16-le")) // 2


def summary(report: ScanReport) -> str:
    """Return the number of findings by kind."""
    moves = [found.proposal for found in report.findings if found.proposal and found.trigger is None]
    n_shifted = sum(map(is_shift, moves))
    counts = [
        (len(report.triggers), "triggered"),
        (len(quiet_ambiguous(report)), "ambiguous"),
        (len(moves) - n_shifted, "moved"),
        (n_shifted, "shifted"),
        (report.n_unchanged, "unchanged"),
        *[(sum(found.muted == why for found in report.findings), str(why)) for why in Muted],
        (report.n_inactive, "inactive"),
    ]
    parts = [f"{number:,} {word}" for number, word in counts if number]
    if report.docs:
        parts.append(f"{len(report.stale_docs):,} of {count(len(report.docs), 'link')} in documents to be checked")
    return ", ".join(parts) or "there are no subscriptions"


def subject_line(report: ScanReport) -> str:
    """Describe the only finding, or the numbers of findings by kind."""
    counts = {
        "trigger": len(report.triggers),
        "ambiguous target": len(quiet_ambiguous(report)),
        "stale link": len(report.stale_docs),
    }
    if len(report.triggers) == sum(counts.values()) == 1:
        return plain(f"birthmark: {next(title(found) for found in report.findings if is_reported(found))}")
    summary = ", ".join(count(number, noun) for noun, number in counts.items() if number)
    return f"birthmark: {summary}; {span(report)}"


def write_markdown(report: ScanReport) -> str:
    n_triggers = len(report.triggers)
    heading = f"## Birthmark: {count(n_triggers, 'trigger') if n_triggers else 'nothing triggered'}"
    sections = [(section, list(items(report))) for section, items in _SECTIONS]
    written = [f"### {section}\n\n" + "\n".join(items) for section, items in sections if items]
    return "\n\n".join([heading, f"{_first_upper(summary(report))}. {span_of(report)}", *written]) + "\n"


def escape(text: str) -> str:
    """A label or other words, in one line; it cannot be markup."""
    return _SPECIAL.sub(r"\\\g<0>", plain(text)).translate(_ENTITIES)


def code(text: str) -> str:
    """A name or location as a code span, with as many backticks as it takes."""
    shown = plain(text) or " "
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


STYLE = Style(code, escape)


def span_of(report: ScanReport) -> str:
    return f"{_first_upper(span(report, STYLE))}."


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def subject(subscription: Subscription, location: LineRange) -> str:
    """Its location, its name and its label, so far as it has them."""
    name, label = name_of(subscription), subscription.label
    parts = [
        code(str(location)) if location.path else "",
        code(name) if name else "",
        f"*{escape(label)}*" if label else "",
    ]
    return " ".join(part for part in parts if part) or code(given_ref(subscription))


def explain(found: Finding) -> Iterator[str]:
    """Further details, an item each."""
    trigger = found.trigger
    if found.subscription.description:
        yield escape(found.subscription.description)
    if trigger is None:
        return
    if ScanReason.INTERFACE_CHANGED in trigger.reasons:
        yield from signatures(trigger.explanation, STYLE)
    if trigger.explanation is not None and trigger.explanation.hunks:
        yield _diff(trigger.explanation)
    if trigger.places:
        yield from _places(found, trigger)
    else:
        for word, items in details_of(trigger):
            yield f"{escape(word)}: {abridged([_noted(item) for item in items])}"


def _places(found: Finding, trigger: Trigger) -> Iterator[str]:
    for place in trigger.places[:MANY]:
        at = place_location(found, place)
        diff = _diff(place.explanation) if place.explanation is not None and place.explanation.hunks else ""
        yield f"{code(str(at))} {place_sentence(place, STYLE)}" + (f"\n\n{diff}" if diff else "")
    if len(trigger.places) > MANY:
        yield f"{len(trigger.places) - MANY:,} more"


def _diff(explanation: Explanation) -> str:
    """The lines that differ, in a fence that none of them can close."""
    lines = [line for hunk in explanation.hunks for line in _hunk_lines(hunk)]
    ticks = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, ticks + 1)
    more = [f" … {count(explanation.n_omitted, 'more line')}"] if explanation.n_omitted else []
    return "\n".join([f"{fence}diff", *lines, *more, fence])


def _hunk_lines(hunk: PatchHunk) -> list[str]:
    at = hunk.hunk
    header = f"@@ -{at.old_start},{at.old_count} +{at.new_start},{at.new_count} @@"
    return [header, *(line.sign + visible(line.text)[:_LONG_LINE] for line in hunk.lines)]


def sublist(items: Iterator[str]) -> str:
    """Items below another, and code without a bullet; all lines are indented, empty ones too, so they belong to it."""
    return "".join(
        f"\n  {_indented(item, 2)}" if item.startswith("```") else f"\n  - {_indented(item, 4)}" for item in items
    )


def _indented(item: str, width: int) -> str:
    return item.replace("\n", "\n" + " " * width)


def describe_proposal(found: Finding, proposal: Proposal) -> str:
    old, new = proposed(found, proposal)
    return f"{code(str(old))} → {code(str(new))}: {move(proposal, STYLE)}"


def _noted(item: tuple[str, str]) -> str:
    name, note = item
    return f"{code(name)} ({escape(note)})" if note else code(name)


def _trigger_item(report: ScanReport, found: Finding) -> str:
    old, new = old_location(found), current_location(found)
    label = f" *{escape(found.subscription.label)}*" if found.subscription.label else ""
    at = f" in {code(str(old))}" if old.path and name_of(found.subscription) else ""
    now = [f"now at {code(str(new))}"] if found.after is not None and found.after.path and new != old else []
    note = comparison_note(report, found)
    what = f"{subject_name(found.subscription, STYLE)}{label}{at}: {sentence(found, STYLE)}"
    further = [*now, *([escape(note)] if note else []), *explain(found)]
    return f"- {what} ({code(found.subscription.id)})" + sublist(iter(further))


def _proposals(report: ScanReport) -> Iterator[str]:
    """Yield the proposals of subscriptions that have not triggered; those that have include theirs."""
    for found in report.findings:
        if found.proposal is not None and not is_reported(found):
            label = f"*{escape(found.subscription.label)}* " if found.subscription.label else ""
            name = subject_name(found.subscription, STYLE)
            yield f"- {name} {label}{describe_proposal(found, found.proposal)} ({code(found.subscription.id)})"


def _ambiguous(report: ScanReport) -> Iterator[str]:
    for found in quiet_ambiguous(report):
        what = subject(found.subscription, accepted_location(found.subscription))
        locations = abridged([code(location) for location in found.locations])
        yield f"- {what} may be {locations} ({code(found.subscription.id)})"


def document_item(link: DocLink | DocLinkDocument) -> str:
    return f"- {code(str(LineRange(link.path, link.line, link.line)))}: {doc_sentence(link, STYLE)}"


def _problem_item(problem: Problem) -> str:
    return f"- {code(str(LineRange(problem.path, problem.line or 0, problem.line or 0)))}: {escape(problem.problem)}"


_SECTIONS: tuple[tuple[str, Callable[[ScanReport], Iterator[str]]], ...] = (
    ("Triggered", lambda report: (_trigger_item(report, found) for found in report.findings if is_reported(found))),
    ("Where they should point", _proposals),
    ("Gone, with several possible successors", _ambiguous),
    ("Stale in documents", lambda report: map(document_item, report.stale_docs)),
    ("Problems", lambda report: map(_problem_item, report.problems)),
)
