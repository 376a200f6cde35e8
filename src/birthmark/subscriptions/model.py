"""What a subscription is, and what a scan says of it.

A subscription is a wish and an accepted state. A scan compares the accepted state with a state of the tree and gives
a Finding for each subscription that has something to tell; applying one puts its `after` in the place of `accepted`,
so that path, lines and fingerprints are refreshed together and no change is told twice.
"""

from __future__ import annotations

from datetime import UTC, datetime
from secrets import choice

import msgspec

from birthmark.model import Problem
from birthmark.vocabulary import AnchorStatus, ChangeType, Muted, SubscriptionTarget

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 10


class AcceptedFingerprints(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an entity was made of when it was accepted. `declaration` is the head without its decorators."""

    interface: str
    content: str
    text: str
    declaration: str
    version: int
    body: str | None = None
    documentation: str | None = None


class Semantic(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entity as it was accepted."""

    language: str
    kind: str
    qualname: str
    prints: AcceptedFingerprints
    weight: int = 0


class Member(msgspec.Struct, frozen=True, omit_defaults=True):
    """What stands in a container, or in one that it inherits from: then `origin` is that one's `path::name`."""

    name: str
    kind: str
    prints: AcceptedFingerprints
    is_private: bool = False
    origin: str | None = None


class Anchors(msgspec.Struct, frozen=True, omit_defaults=True):
    """By what a range of lines is known again: what stands around it, how it begins, and what it is."""

    before: tuple[str, ...]
    first: str
    after: tuple[str, ...]
    text: str  # a fingerprint of all its lines


class Accepted(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The state that is known and fine. `files` are those it was read from, by the ids of their contents."""

    path: str = ""
    start_line: int = 0
    end_line: int = 0
    mark: str | None = None
    semantic: Semantic | None = None
    members: tuple[Member, ...] = ()
    anchors: Anchors | None = None
    revision: str | None = None  # the commit that was checked out, or named
    files: dict[str, str] = {}
    digest: str | None = None  # of all files that a pattern may match, or that users may be in


class Subscription(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Someone's wish to know when an identity, a range of lines, or a crowd of them changes."""

    id: str
    ref: str  # as it was given
    target: SubscriptionTarget = SubscriptionTarget.ENTITY
    label: str | None = None
    description: str | None = None
    active: bool = True
    trigger_on_duplicate: bool = False
    include_members: bool = False
    include_private: bool = False
    include_inherited: bool = True  # where members are
    track_decorators: bool = True
    cosmetic: bool = False  # tell of formatting, comments and documentation, too
    snoozed_until: str | None = None
    acknowledged: str | None = None  # the change that was seen, by its digest
    created_at: str = ""
    updated_at: str = ""
    accepted: Accepted = Accepted()


class Hunk(msgspec.Struct, frozen=True):
    """Lines that were replaced; a count of 0 means that they stand behind line `start`."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class Trigger(msgspec.Struct, frozen=True):
    """Something a subscriber wants to know. The place is the accepted one."""

    subscription_id: str
    path: str
    start_line: int
    end_line: int
    reasons: tuple[str, ...]
    change_type: ChangeType
    matching_hunks: tuple[Hunk, ...] = ()
    details: dict[str, object] = {}


class Proposal(msgspec.Struct, frozen=True):
    """Where a subscription should point from now on."""

    subscription_id: str
    old_path: str
    old_start: int
    old_end: int
    new_path: str
    new_start: int
    new_end: int
    reasons: tuple[str, ...]
    confidence: str
    new_qualname: str | None = None
    new_kind: str | None = None


class Finding(msgspec.Struct, frozen=True):
    """What a scan has to say of one subscription. One that is muted says it when asked for all."""

    subscription: Subscription
    trigger: Trigger | None = None
    proposal: Proposal | None = None
    locations: tuple[str, ...] = ()  # where it may be, if it is gone and several could be it
    after: Accepted | None = None  # what there is to accept; None if there is nothing
    muted: Muted | None = None
    contents: tuple[str, ...] = ()  # fingerprints of all of a crowd that are told of, so that it is known again

    @property
    def is_ambiguous(self) -> bool:
        return len(self.locations) > 1


class DocLink(msgspec.Struct, frozen=True):
    """A REF in a document, and what became of what it names since the document was last touched."""

    path: str
    line: int
    ref: str
    status: AnchorStatus
    reasons: tuple[str, ...] = ()
    written_at: str | None = None  # the commit that touched the document last
    since: str | None = None  # the first commit that changed what it names after that; None if it is not committed
    now: str | None = None  # where it stands now


class ScanReport(msgspec.Struct, frozen=True):
    """All that a scan found."""

    base: str
    target: str
    findings: tuple[Finding, ...]
    n_unchanged: int
    n_inactive: int = 0
    docs: tuple[DocLink, ...] = ()
    problems: tuple[Problem, ...] = ()
    scan: int | None = None  # its number among those that were kept
    at: str = ""

    @property
    def triggers(self) -> list[Trigger]:
        return [found.trigger for found in self.findings if found.trigger is not None and found.muted is None]

    @property
    def proposals(self) -> list[Proposal]:
        return [found.proposal for found in self.findings if found.proposal is not None]

    @property
    def ambiguous(self) -> list[Finding]:
        return [found for found in self.findings if found.is_ambiguous]

    @property
    def stale_docs(self) -> list[DocLink]:
        return [link for link in self.docs if link.status is not AnchorStatus.CURRENT]


def new_id() -> str:
    return "sub-" + "".join(choice(_ALPHABET) for _ in range(_ID_LENGTH))


def timestamp(at: datetime | None = None) -> str:
    """As they are written everywhere: `2026-11-15T12:00:00Z`."""
    return (at or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
