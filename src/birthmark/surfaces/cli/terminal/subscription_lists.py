"""Subscriptions for a terminal: a list by file, and all about one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import click

from birthmark.documents.subscriptions import SubscriptionDocument
from birthmark.documents.wording import LineRange, abridged, plain
from birthmark.surfaces.cli.terminal.tables import Cell, column_widths, print_table, table_lines
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget
from birthmark.words import lines_of, place_elsewhere, short

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


def print_subscriptions(found: Iterable[SubscriptionDocument]) -> None:
    """By file, patterns last; columns line up across files."""
    groups: dict[str, list[list[Cell | str]]] = {}
    for one in sorted(found, key=_order):
        groups.setdefault(_heading(one), []).append(_row(one))
    widths = column_widths([row for rows in groups.values() for row in rows])
    for heading, rows in groups.items():
        click.echo(paint(fit(plain(heading), screen().columns), "bold"))
        for line in table_lines(rows, "  ", widths):
            click.echo(line)


def _order(subscription: SubscriptionDocument) -> tuple[bool, str, int, str]:
    return not subscription.path, _heading(subscription), subscription.start_line or 0, subscription.id


def _heading(subscription: SubscriptionDocument) -> str:
    return _location(subscription).file or _PATTERNS


def _location(subscription: SubscriptionDocument) -> LineRange:
    first, last = subscription.start_line or 0, subscription.end_line or 0
    return LineRange(subscription.path or "", first, last, subscription.repository)


def _given_ref(subscription: SubscriptionDocument) -> str:
    return place_elsewhere(subscription.repository, subscription.ref)


def _row(subscription: SubscriptionDocument) -> list[Cell | str]:
    first, last = subscription.start_line or 0, subscription.end_line or 0
    lines = lines_of(first, last) if first else ""
    notes = [*([subscription.label] if subscription.label else []), *_states(subscription)]
    return [subscription.id, lines, Cell(_what(subscription), "cyan"), plain("; ".join(notes))]


def _what(subscription: SubscriptionDocument) -> str:
    semantic = subscription.semantic
    if semantic is None:
        return plain(_given_ref(subscription)) if subscription.target is SubscriptionTarget.PATTERN else "lines"
    users = "users of " if subscription.target is SubscriptionTarget.USERS else ""
    return plain(f"{users}{semantic.kind} {semantic.qualname}")


def _states(subscription: SubscriptionDocument) -> Iterator[str]:
    if not subscription.active:
        yield "inactive"
    until = subscription.snoozed_until
    if until is not None and datetime.now(UTC) < datetime.fromisoformat(until):
        yield f"snoozed until {_time(until)}"
    if subscription.acknowledged:
        yield "acknowledged"
    if subscription.stored is SubscriptionHome.TEAM:
        yield "team"


def _time(at: str) -> str:
    """`2026-12-31`, with the time unless it is midnight."""
    day, _, time = at.removesuffix("Z").partition("T")
    return day if time in ("", "00:00:00") else f"{day} {time[:5]} UTC"


def row_of(subscription: SubscriptionDocument) -> tuple[str, str, Cell]:
    """Its id, its target and its label."""
    return subscription.id, _target(subscription), Cell(plain(subscription.label or ""), "green")


def _target(subscription: SubscriptionDocument) -> str:
    if subscription.target is SubscriptionTarget.PATTERN:
        return plain(_given_ref(subscription))
    location = plain(str(_location(subscription)))
    return location if subscription.semantic is None else f"{_what(subscription)}  {location}"


def print_subscription(subscription: SubscriptionDocument) -> None:
    click.echo(f"{subscription.id}  {paint(_what(subscription), 'cyan')}")
    print_table([[name, plain(value)] for name, value in _facts(subscription) if value], "  ")


def _facts(subscription: SubscriptionDocument) -> Iterator[tuple[str, str]]:
    yield "where", str(_location(subscription))
    yield "label", subscription.label or ""
    yield "description", subscription.description or ""
    yield "reports", _TARGETS[subscription.target]
    yield "options", ", ".join(_options(subscription))
    yield "state", ", ".join(state for state in _states(subscription) if state != "team") or "active"
    yield "accepted", f"at commit {short(subscription.revision)}" if subscription.revision else "without a commit"
    members = subscription.members
    yield "members", f"{len(members):,}: {abridged([member.name for member in members])}" if members else ""
    yield "mark", subscription.mark or ""
    yield "given as", _given_ref(subscription)
    yield "stored", _HOMES[subscription.stored]
    yield "created", _time(subscription.created_at)
    yield "changed", _time(subscription.updated_at) if subscription.updated_at != subscription.created_at else ""


def _options(subscription: SubscriptionDocument) -> Iterator[str]:
    yield from (text for name, text in _FLAGS.items() if getattr(subscription, name))
    yield from (text for name, text in _UNLESS.items() if not getattr(subscription, name))
