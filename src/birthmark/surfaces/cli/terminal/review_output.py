"""A review for terminals: a summary line, then what is to be read, as wide as the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import click

from birthmark.app.changes.review import TOP_LEVEL, Review, ReviewedChange, ReviewedInterface
from birthmark.documents.review_words import (
    MOST_USERS,
    affected_advice,
    change_name,
    collapsed_text,
    file_text,
    headline,
    interface_name,
    interface_text,
    notes,
    place_of,
    place_text,
    reaching_text,
    reasons,
    role_name,
    user_text,
    what_changed,
)
from birthmark.documents.sentences import doc_sentence, title
from birthmark.documents.wording import is_reported, plain
from birthmark.surfaces.cli.terminal.tables import echo_wrapped
from birthmark.surfaces.text import fit, paint, screen, wrap_text
from birthmark.vocabulary import Risk

_COLORS = {Risk.HIGH: "red", Risk.MEDIUM: "yellow"}
_INDENT = "  "
_WIDTH = max(map(len, Risk)) + 2
_FEW_TESTS = 5


class _Paragraph(NamedTuple):
    """A line that is cut where the screen ends, unless it wraps, and texts below it that are wrapped."""

    line: str
    color: str | None = None
    below: Sequence[str] = ()
    wraps: bool = False


def print_review(review: Review, limit: int) -> None:
    """At most so many entries of each section."""
    echo_wrapped(headline(review), _INDENT)
    for note in notes(review):
        echo_wrapped(note, _INDENT)
    for heading, entries in _SECTIONS:
        _print_section(heading, [*entries(review)], limit)
    if review.n_files and review.affected is None:
        click.echo()
        echo_wrapped(f"All tests that may be affected: {affected_advice(review)}", _INDENT)


def _print_section(heading: str, entries: Sequence[_Paragraph], limit: int) -> None:
    if not entries:
        return
    click.echo("\n" + paint(heading, "bold"))
    for entry in entries[:limit]:
        _print_entry(entry)
    if len(entries) > limit:
        click.echo(f"{_INDENT}… and {len(entries) - limit:,} more; --limit {len(entries)} shows all")


def _print_entry(entry: _Paragraph) -> None:
    further = " " * (_WIDTH + len(_INDENT))
    whole = _INDENT + entry.line
    for line in wrap_text(whole, further=further) if entry.wraps else [fit(whole, screen().columns)]:
        click.echo(paint(line, entry.color))
    for text in entry.below:
        for line in wrap_text(text, further):
            click.echo(paint(line, "dim"))


def _changes(review: Review) -> Iterator[_Paragraph]:
    for change in review.changes:
        risk = change.score.risk
        line = f"{risk:<{_WIDTH}}{_subject(change)}"
        if risk is Risk.LOW:
            yield _Paragraph(f"{line}  {what_changed(change)}")
        else:
            yield _Paragraph(line, _COLORS[risk], [_why(change)])


def _subject(change: ReviewedChange) -> str:
    return change_name(change) if change.kind == TOP_LEVEL else f"{change_name(change)}  {place_text(place_of(change))}"


def _why(change: ReviewedChange) -> str:
    return "; ".join([what_changed(change), *reasons(change.facts)])


def _interfaces(review: Review) -> Iterator[_Paragraph]:
    for one in review.interfaces:
        color = "yellow" if one.unchanged and one.interface.concerns_users else None
        yield _Paragraph(
            f"{interface_name(one)}: {interface_text(one)}", color, [*_heads(one), *_users(one)], wraps=True
        )


def _heads(one: ReviewedInterface) -> Iterator[str]:
    is_settled = bool(one.users) and all(user.is_changed for user in one.users)
    if one.interface.old_signature and one.interface.new_signature and not is_settled:
        yield f"was {plain(one.interface.old_signature)}"
        yield f"now {plain(one.interface.new_signature)}"


def _users(one: ReviewedInterface) -> Iterator[str]:
    unchanged = [user for user in one.users if not user.is_changed]
    yield from map(user_text, unchanged[:MOST_USERS])
    if len(unchanged) > MOST_USERS:
        yield f"and {len(unchanged) - MOST_USERS:,} more"


def _collapsed(review: Review) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{one.word:<13}{collapsed_text(one)}") for one in review.collapsed)


def _triggers(review: Review) -> Iterator[_Paragraph]:
    for found in review.report.findings:
        if is_reported(found):
            label = f"  {plain(found.subscription.label)}" if found.subscription.label else ""
            yield _Paragraph(f"{title(found)}{label}  ({found.subscription.id})", "yellow")


def _documents(review: Review) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{plain(link.path)}:{link.line}: {doc_sentence(link)}") for link in review.stale_docs)


def _tests(review: Review) -> Iterator[_Paragraph]:
    tests = review.affected.tests if review.affected is not None else review.tests.near
    shown = tests if review.affected is not None else tests[:_FEW_TESTS]
    yield from (_Paragraph(reaching_text(test)) for test in shown)
    if len(tests) > len(shown):
        yield _Paragraph(f"and {len(tests) - len(shown):,} more", "dim")


def _others(review: Review) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{role_name(one.role):<15}{plain(one.path)}: {file_text(one)}") for one in review.other_files)


_SECTIONS: tuple[tuple[str, Callable[[Review], Iterable[_Paragraph]]], ...] = (
    ("To read, by risk", _changes),
    ("Changed interfaces", _interfaces),
    ("Moved, renamed or merely looking otherwise", _collapsed),
    ("Triggered subscriptions", _triggers),
    ("Documents that name what changed", _documents),
    ("Tests that may be affected", _tests),
    ("Other files", _others),
)
