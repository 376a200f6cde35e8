"""Subscribe, and change, mute or delete subscriptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from birthmark.app.across import Visible
from birthmark.app.answers.refs import Marks, find_entity, read_ref
from birthmark.app.scans.bases import base_of, indexed_state, open_elsewhere, opened_for, split_ref
from birthmark.app.scans.stored_scans import read_scan
from birthmark.app.scans.subscription_repository import StoredSubscription, SubscriptionRepository, find_subscriptions
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.states import contents_to_keep
from birthmark.app.workspace.workspace import Workspace
from birthmark.documents.document import make
from birthmark.documents.subscriptions import SubscribedDocument, subscription_document
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.identity.anchors import is_anchor
from birthmark.queries.ref import locate_nearest, named_in
from birthmark.queries.ref_forms import LinesRef, NamedRef, NameRef, PatternRef, Ref, parse_ref
from birthmark.subscriptions.accept import acknowledge, set_active, snooze
from birthmark.subscriptions.accepted_state import AcceptedStateReader
from birthmark.subscriptions.model import (
    Accepted,
    Anchors,
    Finding,
    Subscription,
    SubscriptionOptions,
    new_id,
    timestamp,
)
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget

OPTIONS = SubscriptionOptions.__struct_fields__
Text = Annotated[str, Meta(min_length=1, max_length=4096, pattern=r"^[^\x00]*$")]


class SubscriptionRequest(SubscriptionOptions, frozen=True):
    """A request to subscribe; `ref` is any REF, or a pattern."""

    ref: Annotated[
        Text, Meta(description="A REF, or a pattern such as `api/**::*Controller.*`.", extra={"completes": "ref"})
    ]
    users: Annotated[bool, Meta(description="Report who calls, imports or inherits it.")] = False
    entity: Annotated[bool, Meta(description="Take path:line for the entity at that line.")] = False
    at: Annotated[
        Text | None,
        Meta(
            description="Accept it as it is at a revision; else as in the worktree.",
            extra={"completes": "revision", "metavar": "REV"},
        ),
    ] = None
    team: Annotated[bool, Meta(description="Store it in birthmark.toml, for all who have the repository.")] = False


def subscribe(session: Session, request: SubscriptionRequest) -> SubscribedDocument:
    """Return the new subscription, or an old one, if there was one to the same with the same options."""
    own = session.repository
    _check_texts(asdict(request))
    with _asked_repository(own, request, session.visible) as asked:
        subscription, ref = _new_subscription(asked, request)
        reader = AcceptedStateReader(asked.state, Marks(asked.repository, asked.state).mark_of)
        accepted = _accept_first(asked.repository, reader, subscription, ref)
        stored = StoredSubscription(
            msgspec.structs.replace(subscription, accepted=accepted),
            SubscriptionHome.TEAM if request.team else SubscriptionHome.PERSONAL,
        )
        subscriptions = SubscriptionRepository(own.workspace)
        alike = [one for one in subscriptions.all() if _is_about_same(one.subscription, stored.subscription, ref)]
        known = next((one for one in alike if _has_same_options(one, stored)), None)
        same_target_ids = [one.subscription.id for one in alike if one != known]
        if known is not None:
            return _subscribed(known, same_target_ids, is_new=False)
        git = own.git_or_none if asked.name is None else None
        subscriptions.put([stored], contents=contents_to_keep(git, asked.state, [accepted.files]))
    return _subscribed(stored, same_target_ids, is_new=True)


def _subscribed(stored: StoredSubscription, same_target_ids: list[str], *, is_new: bool) -> SubscribedDocument:
    document = subscription_document(*stored)
    return make(SubscribedDocument, document, created=is_new, same_target_ids=same_target_ids)


class _Asked(NamedTuple):
    """A REF, and the state in which to look it up: of this repository, or of another one by its name."""

    repository: OpenRepository
    state: RepositoryState
    name: str | None
    ref: str


@contextmanager
def _asked_repository(own: OpenRepository, request: SubscriptionRequest, visible: Visible) -> Iterator[_Asked]:
    name, ref = split_ref(own.workspace, request.ref, visible)
    if name is None:
        yield _Asked(own, own.named(request.at), None, ref)
        return
    if request.team:
        raise BirthmarkError(f"{request.ref}: is in another repository, which a team's file must not name; omit --team")
    with open_elsewhere(own, name) as other:
        state = indexed_state(other) if request.at is None else other.revision(request.at)
        yield _Asked(other, state, name, ref)


def _new_subscription(asked: _Asked, request: SubscriptionRequest) -> tuple[Subscription, Ref]:
    ref = parse_ref(asked.ref)
    if is_anchor(asked.ref):
        ref, request = _read_anchor(asked, request)
    elif isinstance(ref, PatternRef) and not _is_test(asked):
        ref = ref.relative_to(asked.repository.workspace.current_folder)
    else:
        ref = read_ref(asked.repository, asked.state, asked.ref)
    if isinstance(ref, NamedRef) and asked.state.entry(ref.path) is None:
        ref = NameRef(asked.ref)
    now = timestamp()
    subscription = Subscription(
        id=new_id(),
        ref=str(ref),
        repository=asked.name,
        target=_target(request, ref),
        created_at=now,
        updated_at=now,
        **{name: getattr(request, name) for name in OPTIONS},
    )
    return subscription, ref


def _read_anchor(asked: _Asked, request: SubscriptionRequest) -> tuple[Ref, SubscriptionRequest]:
    """Return the REF of the lines or of the definition that an anchor names; the latter is watched as a definition."""
    from birthmark.app.answers.anchors import AnchorFinder  # Few REFs are anchors.

    anchor = AnchorFinder(asked.repository, asked.state).refresh(asked.ref)
    if anchor.within is not None:
        return LinesRef(anchor.path, *anchor.within.lines), request
    return read_ref(asked.repository, asked.state, asked.ref), msgspec.structs.replace(request, entity=True)


def _is_test(asked: _Asked) -> bool:
    """Return whether what looks like a pattern is a test with its parameters: `test_a.py::test_sum[1-2]`."""
    if not asked.ref.endswith("]"):
        return False
    ref = read_ref(asked.repository, asked.state, asked.ref)
    file = asked.state.file(ref.path) if isinstance(ref, NamedRef) else None
    return file is not None and isinstance(ref, NamedRef) and bool(named_in(file.outline.entities, ref.qualified_name))


def _is_about_same(known: Subscription, new: Subscription, ref: Ref) -> bool:
    """Return whether two subscriptions have the same target; their accepted states may differ."""
    if (known.target, known.repository) != (new.target, new.repository):
        return False
    if known.ref == new.ref and not isinstance(ref, LinesRef):
        return True
    old, now = known.accepted, new.accepted
    if old.semantic is None or now.semantic is None:
        return old.anchors is not None and _lines_of(old) == _lines_of(now)
    is_named_so = (old.path, old.semantic.qualname) == (now.path, now.semantic.qualname)
    is_overload = old.semantic.fingerprints.interface != now.semantic.fingerprints.interface
    return (is_named_so and not is_overload) or (old.mark is not None and old.mark == now.mark)


def _lines_of(accepted: Accepted) -> tuple[str, int, int, Anchors | None]:
    return accepted.path, accepted.start_line, accepted.end_line, accepted.anchors


def _has_same_options(known: StoredSubscription, new: StoredSubscription) -> bool:
    return known.home == new.home and all(
        getattr(known.subscription, name) == getattr(new.subscription, name) for name in OPTIONS
    )


def _check_texts(values: Mapping[str, object]) -> None:
    """A text that a shell passed in another encoding cannot be stored."""
    for name, value in values.items():
        if isinstance(value, str) and not value.isascii() and value.encode("utf-8", "ignore").decode() != value:
            raise BirthmarkError(f"{name}: is not UTF-8; write it in UTF-8")


def _target(request: SubscriptionRequest, ref: Ref) -> SubscriptionTarget:
    if isinstance(ref, PatternRef):
        if request.users or request.include_members:
            raise BirthmarkError(f"{request.ref}: is a pattern; it has neither users nor members, omit the option")
        return SubscriptionTarget.PATTERN
    if request.users:
        return SubscriptionTarget.USERS
    is_lines = isinstance(ref, LinesRef) and not (request.entity or request.include_members)
    return SubscriptionTarget.LINES if is_lines else SubscriptionTarget.ENTITY


def _accept_first(
    repository: OpenRepository, reader: AcceptedStateReader, subscription: Subscription, ref: Ref
) -> Accepted:
    if subscription.target is SubscriptionTarget.PATTERN:
        return reader.pattern(subscription.ref)
    if subscription.target is SubscriptionTarget.LINES and isinstance(ref, LinesRef):
        return reader.lines(ref.path, ref.first, ref.last)
    return reader.entity(subscription, find_entity(repository, reader.tree, subscription.ref, ""))


def update_subscription(session: Session, id_: str, changes: Mapping[str, object]) -> StoredSubscription:
    """Change the label, description or flags of a subscription."""
    wrong = next((name for name in changes if name not in OPTIONS), None)
    if wrong is not None:
        raise BirthmarkError(f"{wrong}: cannot be changed; {', '.join(OPTIONS)} can")
    _check_texts(changes)
    subscription, home = find_subscriptions(session.workspace, [id_], session.visible)[0]
    changed = msgspec.structs.replace(subscription, **changes, updated_at=timestamp())
    needs_members = changed.include_members and not subscription.accepted.members
    if needs_members or changed.include_inherited != subscription.include_inherited:
        changed = _with_members(session.repository, changed)
    stored = StoredSubscription(changed, home)
    SubscriptionRepository(session.workspace).put([stored])
    return stored


def _with_members(own: OpenRepository, subscription: Subscription) -> Subscription:
    """Members that were not included so far are accepted in the state in which the container was."""
    accepted = subscription.accepted
    if subscription.target is not SubscriptionTarget.ENTITY or accepted.semantic is None:
        raise BirthmarkError(f"{subscription.id}: is not about an entity, so it has no members")
    with opened_for(own, subscription) as repository:
        state = base_of(repository, subscription)
        ref = NamedRef(accepted.path, accepted.semantic.qualname)
        container = locate_nearest(state, ref, accepted.start_line)
        members, paths = AcceptedStateReader(state).members(subscription, container)
        files = {path: state.content_id(path) or "" for path in sorted(paths)} | accepted.files
        accepted = msgspec.structs.replace(accepted, members=members, files=files)
    return msgspec.structs.replace(subscription, accepted=accepted)


def act(
    session: Session, ids: Sequence[str], action: str, until: str | None = None, scan: int | None = None
) -> list[StoredSubscription]:
    """`acknowledge`, `snooze`, `deactivate`, `reactivate` or `delete` some subscriptions.

    Acknowledging concerns the findings of the scan with the given number, or of the last one.
    """
    stored = find_subscriptions(session.workspace, ids, session.visible)
    repository = SubscriptionRepository(session.workspace)
    if action == "delete":
        repository.put([], stored)
        return stored
    changed = [
        StoredSubscription(_act(session.workspace, one.subscription, action, until, scan), one.home) for one in stored
    ]
    repository.put(changed)
    return changed


def _act(
    workspace: Workspace, subscription: Subscription, action: str, until: str | None, scan: int | None
) -> Subscription:
    if action == "acknowledge":
        return acknowledge(_finding(workspace, subscription.id, scan), subscription)
    if action == "snooze":
        return snooze(subscription, until or "1d")
    if action in ("deactivate", "reactivate"):
        return set_active(subscription, action == "reactivate")
    raise BirthmarkError(f"{action}: is no action; use acknowledge, snooze, deactivate, reactivate or delete")


def _finding(workspace: Workspace, id_: str, scan: int | None) -> Finding:
    report = read_scan(workspace, scan)
    finding = next((found for found in report.findings if found.subscription.id == id_), None)
    if finding is None or finding.trigger is None:
        which = "the last scan" if scan is None else f"scan {scan}"
        raise BirthmarkError(f"{id_}: {which} found nothing to acknowledge; run `birthmark scan`")
    return finding
