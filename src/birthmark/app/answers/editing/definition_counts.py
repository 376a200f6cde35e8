"""What is known of a definition at a glance: when it came to be, how often it changed, who uses and who watches it."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.answers.listing.source_files import count_users
from birthmark.app.notes.finding import notes_on
from birthmark.app.scans.subscription_repository import SubscriptionRepository
from birthmark.app.workspace.session import Session
from birthmark.queries.life import Life, read_lives
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import Change

_NO_CHANGES = (Change.BORN, Change.MOVED)


class DefinitionCounts(NamedTuple):
    """Counts of one definition. `born_at` is in Unix seconds, None where its history was not replayed; `n_users` is
    None where edges are not at hand."""

    born_at: int | None
    n_changes: int
    n_users: int | None
    n_subscriptions: int
    n_notes: int
    n_stale_notes: int


def count_definition(session: Session, indexed: IndexedEntity) -> DefinitionCounts:
    life = read_lives(session.view, [indexed.identity])[indexed.identity]
    users = count_users(session, [indexed.identity])
    notes = notes_on(session, indexed.mark)
    return DefinitionCounts(
        life.events[0].run.at if life.events[0].is_replayed else None,
        _n_changes(life),
        None if users is None else users[indexed.identity],
        len(subscriptions_to(session, indexed)),
        len(notes),
        sum(one.change.is_stale for one in notes),
    )


def _n_changes(life: Life) -> int:
    """Commits and runs that did more than move it within its file."""
    return len({one.event.run for one in life.events if one.event.change not in _NO_CHANGES})


def subscriptions_to(session: Session, indexed: IndexedEntity) -> list[Subscription]:
    """The active ones to a definition, or to its members or users."""
    active = [one.subscription for one in SubscriptionRepository(session.workspace).all() if one.subscription.active]
    accepted = [one.accepted.mark for one in active if one.accepted.mark is not None]
    marks = {one.mark for one in session.store.identities_marked(accepted) if one.identity == indexed.identity}
    return [one for one in active if _is_about(one, indexed, marks)]


def _is_about(subscription: Subscription, indexed: IndexedEntity, marks: set[str]) -> bool:
    """By a mark of the definition; one that was accepted without an index has only a path and a name."""
    accepted = subscription.accepted
    if accepted.mark is not None:
        return accepted.mark in marks
    location = accepted.location
    entity = indexed.entity
    return bool(location.qualified_name) and (location.path, location.qualified_name) == (
        entity.path,
        entity.qualified_name,
    )
