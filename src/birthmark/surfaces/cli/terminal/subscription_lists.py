"""Subscriptions for a terminal: a list by file, and all about one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from birthmark.app.scans.subscription_repository import StoredSubscription
from birthmark.documents.wording import abridged, accepted_location, given_ref, plain
from birthmark.subscriptions.model import Subscription
from birthmark.surfaces.cli.terminal.tables import Cell, column_widths, print_table, table_lines
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget
from birthmark.words import lines_of, short

_PATTERNS = "patterns"
_TARGETS = {
    SubscriptionTarget.ENTITY: "changes of the definition",
    SubscriptionTarget.LINES: "changes of the lines",
    SubscriptionTarget.PATTERN: "all that matches",
    SubscriptionTarget.USERS: "what calls, imports or inherits it",
}
_HOMES = {
    SubscriptionHome.PERSONAL: "for you, in .birthmark",
    SubscriptionHome.TEAM: "for the team, in birthmark.toml",
}
_FLAGS = {
    "trigger_on_duplicate": "triggers on duplicates",
    "include_members": "with members",
    "include_private": "private ones too",
    "cosmetic": "formatting and documentation too",
}
_UNLESS = {"include_inherited": "without inherited members", "track_decorators": "without decorators"}


def print_subscriptions(found: Iterable[StoredSubscription]) -> None:
    """By file, patterns last; columns line up across files."""
    groups: dict[str, list[list[Cell | str]]] = {}
    for stored in sorted(found, key=_order):
        groups.setdefault(_heading(stored.subscription), []).append(_row(stored))
    widths = column_widths([row for rows in groups.values() for row in rows])
    for heading, rows in groups.items():
        click.echo(paint(fit(plain(heading), screen().columns), "bold"))
        for line in table_lines(rows, "  ", widths):
            click.echo(line)


def _order(stored: StoredSubscription) -> tuple[bool, str, int, str]:
    accepted = stored.subscription.accepted
    return not accepted.path, _heading(stored.subscription), accepted.start_line, stored.subscription.id


def _heading(subscription: Subscription) -> str:
    return accepted_location(subscription).file or _PATTERNS


def _row(stored: StoredSubscription) -> list[Cell | str]:
    subscription, accepted = stored.subscription, stored.subscription.accepted
    lines = lines_of(accepted.start_line, accepted.end_line) if accepted.start_line else ""
    notes = [*([subscription.label] if subscription.label else []), *_states(stored)]
    return [subscription.id, lines, Cell(_what(subscription), "cyan"), plain("; ".join(notes))]


def _what(subscription: Subscription) -> str:
    semantic = subscription.accepted.semantic
    if semantic is None:
        return plain(given_ref(subscription)) if subscription.target is SubscriptionTarget.PATTERN else "lines"
    users = "users of " if subscription.target is SubscriptionTarget.USERS else ""
    return plain(f"{users}{semantic.kind} {semantic.qualname}")


def _states(stored: StoredSubscription) -> Iterator[str]:
    subscription = stored.subscription
    if not subscription.active:
        yield "inactive"
    if subscription.is_snoozed():
        yield f"snoozed until {_time(subscription.snoozed_until or '')}"
    if subscription.acknowledged:
        yield "acknowledged"
    if stored.home is SubscriptionHome.TEAM:
        yield "team"


def _time(at: str) -> str:
    """`2026-12-31`, with the time unless it is midnight."""
    day, _, time = at.removesuffix("Z").partition("T")
    return day if time in ("", "00:00:00") else f"{day} {time[:5]} UTC"


def row_of(subscription: Subscription) -> tuple[str, str, Cell]:
    """Its id, its target and its label."""
    return subscription.id, _target(subscription), Cell(plain(subscription.label or ""), "green")


def _target(subscription: Subscription) -> str:
    accepted = subscription.accepted
    if subscription.target is SubscriptionTarget.PATTERN:
        return plain(given_ref(subscription))
    location = plain(str(accepted_location(subscription)))
    return location if accepted.semantic is None else f"{_what(subscription)}  {location}"


def print_subscription(stored: StoredSubscription) -> None:
    click.echo(f"{stored.subscription.id}  {paint(_what(stored.subscription), 'cyan')}")
    print_table([[name, plain(value)] for name, value in _facts(stored) if value], "  ")


def _facts(stored: StoredSubscription) -> Iterator[tuple[str, str]]:
    subscription, accepted = stored.subscription, stored.subscription.accepted
    yield "where", str(accepted_location(subscription))
    yield "label", subscription.label or ""
    yield "description", subscription.description or ""
    yield "reports", _TARGETS[subscription.target]
    yield "options", ", ".join(_options(subscription))
    yield "state", ", ".join(state for state in _states(stored) if state != "team") or "active"
    yield "accepted", f"at commit {short(accepted.revision)}" if accepted.revision else "without a commit"
    members = accepted.members
    yield "members", f"{len(members):,}: {abridged([member.name for member in members])}" if members else ""
    yield "mark", accepted.mark or ""
    yield "given as", given_ref(subscription)
    yield "stored", _HOMES[stored.home]
    yield "created", _time(subscription.created_at)
    yield "changed", _time(subscription.updated_at) if subscription.updated_at != subscription.created_at else ""


def _options(subscription: Subscription) -> Iterator[str]:
    yield from (text for name, text in _FLAGS.items() if getattr(subscription, name))
    yield from (text for name, text in _UNLESS.items() if not getattr(subscription, name))
