"""The findings of a scan as annotations, each at a location.

Takes a ScanReport and gives an Annotation for each trigger, each target that is ambiguous and each stale link of a
document; for members, matches and users one at each of them. An annotation is at the current location, or at the
accepted one if the entity is gone. Its fingerprint
depends on the change and its result but not on the line, so that another scan of the same change gives the same one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from birthmark.documents.sentences import (
    comparison_note,
    doc_sentence,
    move,
    place_sentence,
    signatures,
    subject_name,
    title,
)
from birthmark.documents.wording import (
    MANY,
    LineRange,
    abridged,
    current_location,
    details_of,
    is_reported,
    noted,
    old_location,
    parse_location,
    place_location,
    plain,
    proposed,
    quiet_ambiguous,
)
from birthmark.subscriptions.model import Accepted, DocLink, Finding, ScanReport, Trigger
from birthmark.vocabulary import ChangeType, ScanReason

DOCS = "DOCS"
_MOST_PLACES = 10  # of a trigger that are annotated
_GONE = "Subscribe to its successor, or delete the subscription."
_STALE = "Review the paragraph; a commit that changes it marks it as up to date."


class Rule(NamedTuple):
    """A kind of annotation: its text, its severity for SARIF and for GitLab, and advice."""

    summary: str
    level: str
    severity: str
    advice: str = "Review the change; `birthmark apply` accepts it, and it is not reported again."


RULES: dict[str, Rule] = {
    ChangeType.MISSING: Rule("What is subscribed to is gone.", "error", "critical", _GONE),
    ChangeType.AMBIGUOUS: Rule(
        "What is subscribed to is gone, and several could be its successor.", "warning", "major", _GONE
    ),
    ChangeType.STRUCTURAL: Rule("The interface of what is subscribed to has changed.", "warning", "major"),
    ChangeType.CONTENT: Rule("The content of what is subscribed to has changed.", "warning", "minor"),
    ChangeType.AGGREGATE: Rule("Members, matches or users of what is subscribed to have changed.", "warning", "minor"),
    ChangeType.COSMETIC: Rule("Formatting, comments or documentation have changed.", "note", "info"),
    DOCS: Rule("A document names something that has changed since.", "warning", "minor", _STALE),
}


class Annotation(NamedTuple):
    """A text at a location. A quiet one triggered nothing. `related` are other locations, and why."""

    rule: str
    location: LineRange
    title: str
    message: str
    fingerprint: str
    related: tuple[tuple[LineRange, str], ...] = ()
    is_quiet: bool = False
    subscription: str | None = None  # its id

    @property
    def text(self) -> str:
        return f"{self.title}; {self.placed_message}"

    @property
    def place(self) -> LineRange:
        """The location in this repository; nowhere, if it is in another one, which the text says then."""
        return LineRange("") if self.location.repository else self.location

    @property
    def placed_message(self) -> str:
        return f"in {plain(str(self.location))}; {self.message}" if self.location.repository else self.message

    @property
    def level(self) -> str:
        return "note" if self.is_quiet else RULES[self.rule].level

    @property
    def severity(self) -> str:
        return "info" if self.is_quiet else RULES[self.rule].severity


def list_annotations(report: ScanReport) -> list[Annotation]:
    triggered = [
        annotation
        for found in report.findings
        if found.trigger and is_reported(found)
        for annotation in _trigger_annotations(report, found, found.trigger)
    ]
    return [*triggered, *map(_ambiguous_annotation, quiet_ambiguous(report)), *_doc_annotations(report.stale_docs)]


def change_fingerprint(found: Finding) -> str:
    """The same for every scan that reports the same change."""
    assert found.trigger is not None
    return _fingerprint(found, found.trigger.change_type, found.trigger.reasons)


def _trigger_annotations(report: ScanReport, found: Finding, trigger: Trigger) -> list[Annotation]:
    """One at the target; of members, matches and users that changed one at each, as far as they are not too many."""
    if trigger.change_type is ChangeType.AGGREGATE and trigger.places:
        return list(_place_annotations(report, found, trigger))
    location, old = current_location(found), old_location(found)
    was = [f"accepted at {plain(str(old))}"] if old.path and old != location else []
    return [
        Annotation(
            trigger.change_type,
            location,
            title(found),
            "; ".join([*_notes(report, found, trigger), *was, found.subscription.id]),
            change_fingerprint(found),
            tuple(_related(found, location)),
            subscription=found.subscription.id,
        )
    ]


def _notes(report: ScanReport, found: Finding, trigger: Trigger) -> Iterator[str]:
    """Yield the details that are not in the title."""
    subscription = found.subscription
    yield from (plain(text) for text in (subscription.label, subscription.description) if text)
    if ScanReason.INTERFACE_CHANGED in trigger.reasons:
        yield from signatures(trigger.explanation)
    for word, items in details_of(trigger):
        yield f"{word}: {abridged([noted(item) for item in items])}"
    if note := comparison_note(report, found):
        yield note


def _place_annotations(report: ScanReport, found: Finding, trigger: Trigger) -> Iterator[Annotation]:
    own = change_fingerprint(found)
    rest = len(trigger.places) - _MOST_PLACES
    about = [title(found), *([f"{rest:,} more are not annotated"] if rest > 0 else [])]
    texts = [text for text in (found.subscription.label, found.subscription.description) if text]
    note = [comparison_note(report, found)] if comparison_note(report, found) else []
    seen: Counter[tuple[str, ...]] = Counter()
    for place in trigger.places[:_MOST_PLACES]:
        what = (place.change, place.path, place.name)
        yield Annotation(
            trigger.change_type,
            place_location(found, place),
            place_sentence(place),
            "; ".join([*about, *map(plain, texts), *note, found.subscription.id]),
            _digest([own, *what, str(seen[what])]),
            subscription=found.subscription.id,
        )
        seen[what] += 1


def _ambiguous_annotation(found: Finding) -> Annotation:
    return Annotation(
        ChangeType.AMBIGUOUS,
        current_location(found),
        f"{subject_name(found.subscription)}: gone, and several could be its successor",
        f"may be {abridged([plain(location) for location in found.locations])}; {found.subscription.id}",
        _fingerprint(found, ChangeType.AMBIGUOUS, ()),
        tuple(_related(found, current_location(found))),
        is_quiet=True,
        subscription=found.subscription.id,
    )


def _doc_annotations(links: Iterable[DocLink]) -> Iterator[Annotation]:
    """A document may name the same entity twice, so the fingerprint includes their order."""
    seen: Counter[tuple[str, ...]] = Counter()
    for link in links:
        what = (link.path, link.ref, link.status, *link.reasons)
        yield Annotation(
            DOCS,
            LineRange(link.path, link.line, link.line),
            doc_sentence(link),
            "check the paragraph that names it" + (f"; it is now at {plain(link.now)}" if link.now else ""),
            _digest([*what, str(seen[what])]),
        )
        seen[what] += 1


def _related(found: Finding, location: LineRange) -> Iterator[tuple[LineRange, str]]:
    """Yield the accepted, the proposed and the possible locations."""
    if found.proposal is not None:
        old, new = proposed(found, found.proposal)
        if old != location:
            yield old, "where it was accepted"
        if new != location:
            yield new, f"where it should point: {move(found.proposal)}"
    for candidate in found.locations[:MANY]:
        yield parse_location(candidate)._replace(repository=found.subscription.repository), "what it may be"


def _fingerprint(found: Finding, rule: str, reasons: tuple[str, ...]) -> str:
    files = sorted({parse_location(location).path for location in found.locations})
    return _digest([found.subscription.id, rule, *reasons, *files, *(_state(found.after) if found.after else ())])


def _state(after: Accepted) -> Iterator[str]:
    """Yield the state that was found, without lines and commits."""
    if after.semantic is not None:
        fingerprints = after.semantic.fingerprints
        yield from (after.semantic.qualname, fingerprints.interface, fingerprints.body or "", fingerprints.content)
        yield from (fingerprints.documentation or "", fingerprints.text)
    for member in after.members:
        yield from (member.name, member.origin or "", member.fingerprints.interface, member.fingerprints.content)
    if after.anchors is not None:
        yield after.anchors.text


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
