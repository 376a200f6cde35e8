"""Locations and texts of findings, for annotations, summaries and update documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from birthmark.vocabulary import DerivationKind, SubscriptionTarget
from birthmark.words import lines_of, place_elsewhere, short, visible

if TYPE_CHECKING:  # Most commands describe other things, and need none of what subscriptions are made of.
    from birthmark.subscriptions.model import ChangedPlace, Finding, Proposal, ScanReport, Subscription, Trigger

MANY = 20  # names of a list that are shown
_LONG = 200  # characters of a name or label that are shown
_LOCATION = re.compile(r"(?P<path>.+?)(?:::.*|:(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?)", re.S)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

# What is said of a derivative, with its sources; and of a source, with its derivatives.
SOURCE_WORDS = {
    DerivationKind.EXTRACTED: "extracted from {}",
    DerivationKind.COPIED: "copied from {}",
    DerivationKind.SPLIT: "split from {}",
    DerivationKind.MERGED: "merged with {}",
    DerivationKind.INLINED: "inlined {}",
    DerivationKind.MOVED: "moved from {}",
}
DERIVATIVE_WORDS = {
    DerivationKind.EXTRACTED: "part of it was extracted into {}",
    DerivationKind.COPIED: "copied into {}",
    DerivationKind.SPLIT: "its code is in {}",
    DerivationKind.MERGED: "merged into {}",
    DerivationKind.INLINED: "inlined into {}",
    DerivationKind.MOVED: "moved into {}",
}


class LineRange(NamedTuple):
    """Lines of a file; no lines if `start` is 0, nowhere if there is no path."""

    path: str
    start: int = 0
    end: int = 0
    repository: str | None = None  # another one

    def __str__(self) -> str:
        return f"{self.file}:{lines_of(self.start, self.end)}" if self.start else self.file

    @property
    def file(self) -> str:
        return place_elsewhere(self.repository, self.path) if self.path else ""


def is_reported(found: Finding) -> bool:
    return found.trigger is not None and found.muted is None


def quiet_ambiguous(report: ScanReport) -> list[Finding]:
    """The ambiguous findings without a trigger that are not muted."""
    return [found for found in report.ambiguous if found.trigger is None and found.muted is None]


def name_of(subscription: Subscription) -> str | None:
    """Its name, where its location does not say it."""
    semantic = subscription.accepted.semantic
    if semantic is not None:
        return semantic.qualname
    return None if subscription.target is SubscriptionTarget.LINES else given_ref(subscription)


def given_ref(subscription: Subscription) -> str:
    """The REF as a user gives it, with the repository where that is another one."""
    return place_elsewhere(subscription.repository, subscription.ref)


def accepted_location(subscription: Subscription) -> LineRange:
    accepted = subscription.accepted
    return LineRange(accepted.path, accepted.start_line, accepted.end_line, subscription.repository)


def old_location(found: Finding) -> LineRange:
    trigger = found.trigger
    if trigger is None:
        return accepted_location(found.subscription)
    return LineRange(trigger.path, trigger.start_line, trigger.end_line, found.subscription.repository)


def proposed(found: Finding, proposal: Proposal) -> tuple[LineRange, LineRange]:
    repository = found.subscription.repository
    old = LineRange(proposal.old_path, proposal.old_start, proposal.old_end, repository)
    return old, LineRange(proposal.new_path, proposal.new_start, proposal.new_end, repository)


def place_location(found: Finding, place: ChangedPlace) -> LineRange:
    return LineRange(place.path, place.start_line, place.end_line, found.subscription.repository)


def current_location(found: Finding) -> LineRange:
    """A pattern has no location of its own: it is that of the first entity that changed."""
    after, trigger = found.after, found.trigger
    if after is not None and after.path:
        return LineRange(after.path, after.start_line, after.end_line, found.subscription.repository)
    if old_location(found).path or trigger is None or not trigger.places:
        return old_location(found)
    return place_location(found, trigger.places[0])


def parse_location(text: str) -> LineRange:
    """`path`, `path:line`, `path:first-last` or `path::name`."""
    match = _LOCATION.fullmatch(text)
    if match is None:
        return LineRange(text)
    start = int(match["first"] or 0)
    return LineRange(match["path"], start, int(match["last"] or start))


def details_of(trigger: Trigger) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each detail by its word, as names with a note."""
    for word, value in trigger.details.items():
        items = value if isinstance(value, list | tuple) else [value]
        if items:
            yield word, [_name_and_note(item) for item in items]


def _name_and_note(item: object) -> tuple[str, str]:
    if not isinstance(item, dict):
        return str(item), ""
    if "from" in item and "to" in item:
        return f"{item['from']} -> {item['to']}", ""
    aspects = item.get("aspects")
    notes = [item.get("change"), ", ".join(map(str, aspects)) if aspects else None, item.get("origin")]
    return str(item.get("name", item)), ", ".join(str(note) for note in notes if note)


def noted(item: tuple[str, str]) -> str:
    name, note = map(plain, item)
    return f"{name} ({note})" if note else name


def abridged(texts: list[str]) -> str:
    """A list in a line; of a long one, the beginning."""
    rest = len(texts) - MANY
    return ", ".join(texts[:MANY]) + (f" and {rest:,} more" if rest > 0 else "")


def plain(text: str) -> str:
    """In one line, of bounded length, and nothing in it that could hide the rest."""
    shown = visible(text.replace("\n", " ").replace("\t", " "))
    return shown if len(shown) <= _LONG else f"{shown[: _LONG - 1]}…"


def state_name(state: str) -> str:
    """A commit in short; other states have names."""
    return short(state) if _COMMIT.fullmatch(state) else state
