"""Subscribe, and keep subscriptions in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.diffing import Trees, comparing
from birthmark.app.finding import find_named, find_spot
from birthmark.app.scanning import base_of, read_scan
from birthmark.app.states import Marks, State, States
from birthmark.app.subscription_repository import (
    StoredSubscription,
    SubscriptionRepository,
    find_subscriptions,
    workspace_of,
)
from birthmark.errors import BirthmarkError
from birthmark.queries.ref import LINES
from birthmark.subscriptions.accept import acknowledge, set_active, snooze
from birthmark.subscriptions.accepted_state import AcceptedStateReader, is_pattern
from birthmark.subscriptions.model import Accepted, Finding, Subscription, new_id, timestamp
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget

_FLAGS = frozenset(
    "label description trigger_on_duplicate include_members include_private include_inherited track_decorators "
    "cosmetic".split()
)


class SubscriptionRequest(NamedTuple):
    """What somebody subscribes to. `entity` takes `path:line` for the entity that stands there."""

    ref: str
    label: str | None = None
    description: str | None = None
    trigger_on_duplicate: bool = False
    include_members: bool = False
    include_private: bool = False
    include_inherited: bool = True
    track_decorators: bool = True
    cosmetic: bool = False
    users: bool = False
    entity: bool = False
    at: str | None = None
    team: bool = False


def subscribe(folder: Path | None, wish: SubscriptionRequest) -> StoredSubscription:
    _check_texts(wish._asdict())
    with comparing(folder) as trees:
        states = States(trees)
        state = states.named(wish.at)
        now = timestamp()
        subscription = Subscription(
            id=new_id(),
            ref=wish.ref,
            target=_target(wish),
            created_at=now,
            updated_at=now,
            **{name: getattr(wish, name) for name in _FLAGS},
        )
        recorder = AcceptedStateReader(state, trees.family_of, Marks(trees, state).mark_of)
        accepted = _accept_first(trees, state, recorder, subscription)
        kept = StoredSubscription(
            msgspec.structs.replace(subscription, accepted=accepted),
            SubscriptionHome.TEAM if wish.team else SubscriptionHome.PERSONAL,
        )
        SubscriptionRepository(trees.workspace).put([kept], contents=states.contents_of(state, [accepted]))
    return kept


def _check_texts(values: Mapping[str, object]) -> None:
    """What a shell in another encoding hands over can be kept nowhere."""
    for name, value in values.items():
        if isinstance(value, str) and not value.isascii() and value.encode("utf-8", "ignore").decode() != value:
            raise BirthmarkError(f"{name}: is not UTF-8; write it in UTF-8")


def _target(wish: SubscriptionRequest) -> SubscriptionTarget:
    if is_pattern(wish.ref):
        if wish.users or wish.include_members:
            raise BirthmarkError(f"{wish.ref}: is a pattern; it has neither users nor members, leave the option away")
        return SubscriptionTarget.PATTERN
    if wish.users:
        return SubscriptionTarget.USERS
    return (
        SubscriptionTarget.LINES
        if LINES.fullmatch(wish.ref) and not (wish.entity or wish.include_members)
        else SubscriptionTarget.ENTITY
    )


def _accept_first(trees: Trees, state: State, recorder: AcceptedStateReader, subscription: Subscription) -> Accepted:
    if subscription.target is SubscriptionTarget.PATTERN:
        return recorder.pattern(subscription.ref)
    if subscription.target is SubscriptionTarget.LINES:
        lines = LINES.fullmatch(subscription.ref)
        assert lines is not None
        return recorder.lines(lines["path"], int(lines["first"]), int(lines["last"] or lines["first"]))
    return recorder.entity(subscription, find_spot(trees, state, subscription.ref))


def update_subscription(folder: Path | None, id_: str, changes: dict[str, object]) -> StoredSubscription:
    """Another label, another description, other flags."""
    wrong = next((name for name in changes if name not in _FLAGS), None)
    if wrong is not None:
        raise BirthmarkError(f"{wrong}: cannot be changed; {', '.join(sorted(_FLAGS))} can")
    _check_texts(changes)
    subscription, shelf = find_subscriptions(folder, [id_])[0]
    changed = msgspec.structs.replace(subscription, **changes, updated_at=timestamp())
    needs_members = changed.include_members and not subscription.accepted.members
    if needs_members or changed.include_inherited != subscription.include_inherited:
        changed = _with_members(folder, changed)
    kept = StoredSubscription(changed, shelf)
    SubscriptionRepository(workspace_of(folder)).put([kept])
    return kept


def _with_members(folder: Path | None, subscription: Subscription) -> Subscription:
    """Members that nobody asked for so far are accepted as they were when all else was."""
    accepted = subscription.accepted
    if subscription.target is not SubscriptionTarget.ENTITY or accepted.semantic is None:
        raise BirthmarkError(f"{subscription.id}: is not about an entity, so it has no members")
    with comparing(folder) as trees:
        state = base_of(States(trees), subscription)
        spot = find_named(state, accepted.path, accepted.semantic.qualname, accepted.start_line)
        crowd = AcceptedStateReader(state, trees.family_of).crowd(subscription, spot)
        files = {path: state.content_id(path) or "" for path in sorted(crowd.paths)} | accepted.files
        accepted = msgspec.structs.replace(accepted, members=crowd.members, files=files)
    return msgspec.structs.replace(subscription, accepted=accepted)


def act(folder: Path | None, ids: Sequence[str], action: str, until: str | None = None) -> list[StoredSubscription]:
    """`acknowledge`, `snooze`, `deactivate`, `reactivate` or `delete` some subscriptions."""
    kept = find_subscriptions(folder, ids)
    repository = SubscriptionRepository(workspace_of(folder))
    if action == "delete":
        repository.put([], kept)
        return kept
    changed = [StoredSubscription(_act(folder, one.subscription, action, until), one.shelf) for one in kept]
    repository.put(changed)
    return changed


def _act(folder: Path | None, subscription: Subscription, action: str, until: str | None) -> Subscription:
    if action == "acknowledge":
        return acknowledge(_last_finding(folder, subscription.id), subscription)
    if action == "snooze":
        return snooze(subscription, until or "1d")
    if action in ("deactivate", "reactivate"):
        return set_active(subscription, action == "reactivate")
    raise BirthmarkError(f"{action}: is nothing that can be done; acknowledge, snooze, deactivate, reactivate, delete")


def _last_finding(folder: Path | None, id_: str) -> Finding:
    report = read_scan(folder)
    finding = next((found for found in report.findings if found.subscription.id == id_), None)
    if finding is None or finding.trigger is None:
        raise BirthmarkError(f"{id_}: the last scan found nothing to acknowledge; run `birthmark scan`")
    return finding
