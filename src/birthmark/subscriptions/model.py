"""Subscriptions and the findings of scans.

A subscription has options and an accepted state. A scan compares the accepted state with a state of the tree and gives
a Finding for each subscription that has changed; applying it replaces `accepted` with its `after`, so that path, lines
and fingerprints are refreshed together and no change is reported twice.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from secrets import choice
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from birthmark.comparison.patch import Hunk, PatchHunk
from birthmark.model import Location, Problem
from birthmark.sources.git.log import Commit
from birthmark.vocabulary import AnchorStatus, ChangeType, ComparedWith, Muted, SubscriptionTarget

ID_PREFIX = "sub-"
NOT_INDEXED = "not_indexed"  # a reason: only an index knows what is named
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 10


class AcceptedFingerprints(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fingerprints of an entity when it was accepted. `declaration` is the head without its decorators."""

    interface: str
    content: str
    text: str
    declaration: str
    version: int
    body: str | None = None
    documentation: str | None = None


class Semantic(msgspec.Struct, frozen=True, omit_defaults=True, rename={"fingerprints": "prints"}):
    """An entity as it was accepted."""

    language: str
    kind: str
    qualname: str
    fingerprints: AcceptedFingerprints
    weight: int = 0


class Member(msgspec.Struct, frozen=True, omit_defaults=True, rename={"fingerprints": "prints"}):
    """A member of a container, or of one that it inherits from: then `origin` is that one's `path::name`."""

    name: str
    kind: str
    fingerprints: AcceptedFingerprints
    is_private: bool = False
    origin: str | None = None


class Anchors(msgspec.Struct, frozen=True, omit_defaults=True):
    """The context that identifies a range of lines: the lines around it, its first line, and its text."""

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

    @property
    def location(self) -> Location:
        name = self.semantic.qualname if self.semantic is not None else ""
        return Location(self.path, name, self.start_line, self.end_line)


class SubscriptionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Changeable options of a subscription. Surfaces take names, defaults and descriptions from here."""

    label: Annotated[
        str | None,
        Meta(description="A few words that every report shows.", extra={"brief": "text"}),
    ] = None
    description: Annotated[
        str | None, Meta(description="Why it matters, for readers of the report.", extra={"brief": "line"})
    ] = None
    trigger_on_duplicate: Annotated[
        bool, Meta(description="Trigger if it is gone and several entities could be its successor.")
    ] = False
    include_members: Annotated[
        bool, Meta(description="Compare each member of a container, inherited ones included.")
    ] = False
    include_private: Annotated[bool, Meta(description="Include private members.")] = False
    include_inherited: Annotated[
        bool, Meta(description="Include inherited members.", extra={"also_off": ("--no-inherited",)})
    ] = True
    track_decorators: Annotated[bool, Meta(description="Compare decorators and annotations.")] = True
    cosmetic: Annotated[bool, Meta(description="Report formatting, comments and documentation.")] = False


class Subscription(SubscriptionOptions, frozen=True, omit_defaults=True, kw_only=True):
    """A request to report when an identity, a range of lines, or a group of entities changes."""

    id: str
    ref: str  # as it was given
    repository: str | None = None  # another one of the database, which has what it is about
    target: SubscriptionTarget = SubscriptionTarget.ENTITY
    active: bool = True
    snoozed_until: str | None = None
    acknowledged: str | None = None  # the change that was seen, by its digest
    created_at: str = ""
    updated_at: str = ""
    accepted: Accepted = Accepted()

    def is_snoozed(self, now: datetime | None = None) -> bool:
        return self.snoozed_until is not None and timestamp(now) < self.snoozed_until


class Explanation(msgspec.Struct, frozen=True, omit_defaults=True):
    """The known commits of a change, newest first, and the lines that differ."""

    commits: tuple[Commit, ...] = ()
    is_uncommitted: bool = False  # some of it is in the worktree alone
    hunks: tuple[PatchHunk, ...] = ()
    n_omitted: int = 0  # lines of hunks that are left out
    old_signature: str | None = None  # where it changed
    new_signature: str | None = None


class ChangedPlace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A member, match or user that is reported: where it is now, or was if it is gone."""

    change: str  # the word under which `details` names it: added, removed, changed, renamed, inherited
    name: str
    path: str
    start_line: int
    end_line: int
    before: Location | None = None  # where it was, if it is still there
    explanation: Explanation | None = None


class Trigger(msgspec.Struct, frozen=True):
    """A change that a subscription reports. Path, lines and name are those of the state that it compares with."""

    subscription_id: str
    path: str
    start_line: int
    end_line: int
    reasons: tuple[str, ...]
    change_type: ChangeType
    matching_hunks: tuple[Hunk, ...] = ()
    details: dict[str, Any] = {}
    name: str | None = None  # none for lines and patterns
    places: tuple[ChangedPlace, ...] = ()
    compared_with: ComparedWith = ComparedWith.ACCEPTED
    explanation: Explanation | None = None


class Proposal(msgspec.Struct, frozen=True):
    """The proposed new target of a subscription."""

    subscription_id: str
    old_path: str
    old_start: int
    old_end: int
    new_path: str
    new_start: int
    new_end: int
    reasons: tuple[str, ...]
    confidence: str
    new_qualname: str | None = None  # none if it is the old one, as the kind
    new_kind: str | None = None


class Finding(msgspec.Struct, frozen=True):
    """The result of a scan for one subscription. A muted finding is not reported."""

    subscription: Subscription
    trigger: Trigger | None = None
    proposal: Proposal | None = None
    locations: tuple[str, ...] = ()  # where it may be, if it is gone and several could be it
    after: Accepted | None = None  # what there is to accept; None if there is nothing
    muted: Muted | None = None
    contents: tuple[str, ...] = ()  # fingerprints of all entities that an aggregate reports, to recognize it

    @property
    def is_ambiguous(self) -> bool:
        return len(self.locations) > 1


class DocLink(msgspec.Struct, frozen=True):
    """A REF in a document, and what became of the entity it names since its paragraph was last changed."""

    path: str
    line: int
    ref: str
    status: AnchorStatus
    reasons: tuple[str, ...] = ()
    written_at: str | None = None  # the commit that changed its paragraph last, none if that is not committed
    since: str | None = None  # the first commit after that which changed the entity, none if not committed
    now: str | None = None  # where it is now
    replacement: str | None = None  # of a moved one: the REF that names it now
    kept_because: str | None = None  # why `--fix` leaves a moved one alone
    fixed: bool = False  # whether `--fix` has written the replacement


class CountElsewhere(msgspec.Struct, frozen=True):
    """The numbers of unchanged and of inactive subscriptions about another repository."""

    repository: str
    n_unchanged: int
    n_inactive: int


class ScanReport(msgspec.Struct, frozen=True):
    """All that a scan found."""

    base: str
    target: str
    findings: tuple[Finding, ...]
    n_unchanged: int
    n_inactive: int = 0
    docs: tuple[DocLink, ...] = ()
    problems: tuple[Problem, ...] = ()
    scan: int | None = None  # its number among the stored ones
    at: str = ""
    is_base_named: bool = False  # else each subscription is compared with what was accepted
    elsewhere: tuple[CountElsewhere, ...] = ()  # what `n_unchanged` and `n_inactive` have of other repositories

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
        return [link for link in self.docs if link.status is not AnchorStatus.CURRENT and not link.fixed]


def new_id(prefix: str = ID_PREFIX) -> str:
    return prefix + "".join(choice(_ALPHABET) for _ in range(_ID_LENGTH))


def timestamp(at: datetime | None = None) -> str:
    """Return a time, by default now, as it is written everywhere: `2026-11-15T12:00:00Z`."""
    return (at or datetime.fromtimestamp(time.time(), UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
