"""The findings of a scan as annotations, each at a location.

Takes a ScanReport and gives an Annotation for each trigger, each target that is ambiguous and each stale link of a
document. An annotation is at the current location, or at the accepted one if the entity is gone. Its fingerprint
depends on the change and its result but not on the line, so that another scan of the same change gives the same one.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from birthmark.subscriptions.model import Accepted, DocLink, Finding, ScanReport, Subscription, Trigger
from birthmark.surfaces.formats.wording import (
    MANY,
    LineRange,
    abridged,
    current_location,
    details_of,
    doc_clauses,
    is_reported,
    name_of,
    noted,
    old_location,
    parse_location,
    plain,
    proposed,
    quiet_ambiguous,
)
from birthmark.vocabulary import ChangeType

DOCS = "DOCS"
_GONE = "Subscribe to its successor, or delete the subscription."
_STALE = "Review the document; a commit that changes it marks it as up to date."


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

    @property
    def text(self) -> str:
        return f"{self.title}: {self.message}"

    @property
    def level(self) -> str:
        return "note" if self.is_quiet else RULES[self.rule].level

    @property
    def severity(self) -> str:
        return "info" if self.is_quiet else RULES[self.rule].severity


def list_annotations(report: ScanReport) -> list[Annotation]:
    triggered = [
        _trigger_annotation(found, found.trigger) for found in report.findings if found.trigger and is_reported(found)
    ]
    return [*triggered, *map(_ambiguous_annotation, quiet_ambiguous(report)), *_doc_annotations(report.stale_docs)]


def _trigger_annotation(found: Finding, trigger: Trigger) -> Annotation:
    location, old = current_location(found), old_location(found)
    details = [f"{word}: {abridged([noted(item) for item in items])}" for word, items in details_of(trigger)]
    was = [f"accepted at {plain(str(old))}"] if old.path and old != location else []
    return Annotation(
        trigger.change_type,
        location,
        _title(trigger.change_type, found.subscription),
        "; ".join([plain(", ".join(trigger.reasons)), *details, *was, found.subscription.id]),
        _fingerprint(found, trigger.change_type, trigger.reasons),
        tuple(_related(found, location)),
    )


def _ambiguous_annotation(found: Finding) -> Annotation:
    return Annotation(
        ChangeType.AMBIGUOUS,
        current_location(found),
        _title(ChangeType.AMBIGUOUS, found.subscription),
        f"may be {abridged([plain(location) for location in found.locations])}; {found.subscription.id}",
        _fingerprint(found, ChangeType.AMBIGUOUS, ()),
        tuple(_related(found, current_location(found))),
        is_quiet=True,
    )


def _doc_annotations(links: Iterable[DocLink]) -> Iterator[Annotation]:
    """A document may name the same entity twice, so the fingerprint includes their order."""
    seen: Counter[tuple[str, ...]] = Counter()
    for link in links:
        what = (link.path, link.ref, link.status, *link.reasons)
        clauses = "; ".join(map(plain, doc_clauses(link))) or "check what it names"
        title = f"{DOCS}: {plain(link.ref)} is {link.status}"
        yield Annotation(
            DOCS, LineRange(link.path, link.line, link.line), title, clauses, _digest([*what, str(seen[what])])
        )
        seen[what] += 1


def _title(rule: str, subscription: Subscription) -> str:
    name, label = name_of(subscription), subscription.label
    what = f"{label} ({name})" if label and name else label or name or subscription.ref
    return f"{rule}: {plain(what)}"


def _related(found: Finding, location: LineRange) -> Iterator[tuple[LineRange, str]]:
    """Where it was, where it should point, and where it may be."""
    if found.proposal is not None:
        old, new = proposed(found.proposal)
        if old != location:
            yield old, "where it was accepted"
        if new != location:
            yield new, f"where it should point: {', '.join(found.proposal.reasons)}"
    for candidate in found.locations[:MANY]:
        yield parse_location(candidate), "what it may be"


def _fingerprint(found: Finding, rule: str, reasons: tuple[str, ...]) -> str:
    files = sorted({parse_location(location).path for location in found.locations})
    return _digest([found.subscription.id, rule, *reasons, *files, *(_state(found.after) if found.after else ())])


def _state(after: Accepted) -> Iterator[str]:
    """What was found, without lines and commits."""
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
