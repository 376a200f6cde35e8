"""`review`: a change as a reviewer wants it, as text as wide as the screen, as Markdown or as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from birthmark.app.changes.diff_arguments import split_words
from birthmark.app.workspace.session import Session
from birthmark.documents.document import encode_json
from birthmark.documents.review_words import (
    MOST_USERS,
    affected_advice,
    change_name,
    collapsed_text,
    file_text,
    interface_name,
    interface_text,
    place_of,
    place_text,
    reaching_text,
    role_name,
    user_text,
    what_changed,
)
from birthmark.documents.reviews import TOP_LEVEL, ReviewDocument, ReviewedChangeDocument, ReviewedInterfaceDocument
from birthmark.documents.sentences import doc_sentence
from birthmark.documents.wording import plain
from birthmark.questions.changes import Review
from birthmark.questions.question import make_question
from birthmark.surfaces.cli.commands.scan import write_file
from birthmark.surfaces.cli.question_command import Values, question_command
from birthmark.surfaces.cli.terminal.output import paging
from birthmark.surfaces.cli.terminal.tables import echo_wrapped
from birthmark.surfaces.formats.markdown import (
    REVIEW_MARKER,
    STYLE,
    code,
    document_item,
    escape,
    sublist,
    write_comment,
)
from birthmark.surfaces.text import fit, paint, screen, wrap_text
from birthmark.vocabulary import Risk

FORMATS = ("terminal", "json", "markdown", "comment")
_COLORS = {Risk.HIGH: "red", Risk.MEDIUM: "yellow"}
_INDENT = "  "
_WIDTH = max(map(len, Risk)) + 2
_FEW_TESTS = 5


def _make_review(session: Session, given: Values) -> Review:
    (base, target), _ = split_words(session.repository, given["words"], only_revisions=True)
    return make_question(Review, {"base": base, "target": target, "affected": given["affected"]})


def _show_review(
    asked: Review, found: ReviewDocument, *, words: Sequence[str], most: int, written: str, output: Path | None
) -> None:
    if output is not None:
        write_file(output, _text(found, written, most))
    elif written == "terminal":
        with paging():
            _print_review(found, most)
    else:
        click.echo(_text(found, written, most), nl=False)


def _text(found: ReviewDocument, written: str, most: int) -> str:
    if written == "json":
        return encode_json(found).decode() + "\n"
    return (_write_comment if written == "comment" else _write_review)(found, most)


_OPTIONS = (
    click.Argument(["words"], nargs=-1, metavar="[RANGE | BASE [TARGET]]"),
    click.Option(
        ["--limit", "most"],
        type=click.IntRange(1),
        default=20,
        show_default=True,
        metavar="N",
        help="List at most N entries of each list.",
    ),
    click.Option(["--format", "written"], type=click.Choice(FORMATS), default="terminal", show_default=True),
    click.Option(["--markdown", "written"], flag_value="markdown", help="The same as --format markdown."),
    click.Option(["--json", "written"], flag_value="json", help="Print one JSON document, with all entries."),
    click.Option(["--output"], type=click.Path(dir_okay=False, path_type=Path), help="Write it to a file."),
)
_BUILT = ("base", "target", "limit", "offset")
review = question_command(Review, _show_review, options=_OPTIONS, build=_make_review, built=_BUILT, pages=False)


# Text


class _Paragraph(NamedTuple):
    """A line that is cut where the screen ends, unless it wraps, and wrapped texts below it."""

    line: str
    color: str | None = None
    below: Sequence[str] = ()
    wraps: bool = False


def _print_review(review: ReviewDocument, limit: int) -> None:
    """Print at most `limit` entries of each section."""
    echo_wrapped(review.summary, _INDENT)
    for note in review.notes:
        echo_wrapped(note, _INDENT)
    for heading, entries, _ in _SECTIONS:
        _print_section(heading, [*entries(review)], limit)
    if review.files and review.affected is None:
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


def _changes(review: ReviewDocument) -> Iterator[_Paragraph]:
    for change in review.changes:
        risk = change.risk
        line = f"{risk:<{_WIDTH}}{_subject(change)}"
        if risk is Risk.LOW:
            yield _Paragraph(f"{line}  {what_changed(change)}")
        else:
            yield _Paragraph(line, _COLORS[risk], ["; ".join([what_changed(change), *change.reasons])])


def _subject(change: ReviewedChangeDocument) -> str:
    return change_name(change) if change.kind == TOP_LEVEL else f"{change_name(change)}  {place_text(place_of(change))}"


def _interfaces(review: ReviewDocument) -> Iterator[_Paragraph]:
    for one in review.interfaces:
        color = "yellow" if one.n_unchanged_users and one.concerns_users else None
        yield _Paragraph(
            f"{interface_name(one)}: {interface_text(one)}", color, [*_heads(one), *_users(one)], wraps=True
        )


def _heads(one: ReviewedInterfaceDocument) -> Iterator[str]:
    is_settled = bool(one.n_users) and one.n_changed_users == one.n_users
    if one.old_signature and one.new_signature and not is_settled:
        yield f"was {plain(one.old_signature)}"
        yield f"now {plain(one.new_signature)}"


def _users(one: ReviewedInterfaceDocument) -> Iterator[str]:
    yield from map(user_text, [user for user in one.users if not user.changed][:MOST_USERS])
    n_unchanged = one.n_users - one.n_changed_users
    if n_unchanged > MOST_USERS:
        yield f"and {n_unchanged - MOST_USERS:,} more"


def _collapsed(review: ReviewDocument) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{one.word:<13}{collapsed_text(one)}") for one in review.collapsed)


def _triggers(review: ReviewDocument) -> Iterator[_Paragraph]:
    for one in review.triggers:
        label = f"  {plain(one.label)}" if one.label else ""
        yield _Paragraph(f"{one.summary}{label}  ({one.subscription_id})", "yellow")


def _documents(review: ReviewDocument) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{plain(link.path)}:{link.line}: {doc_sentence(link)}") for link in review.docs)


def _tests(review: ReviewDocument) -> Iterator[_Paragraph]:
    tests = review.tests[:_FEW_TESTS] if review.affected is None else review.affected
    yield from (_Paragraph(reaching_text(test)) for test in tests)
    if review.affected is None and len(review.tests) > len(tests):
        yield _Paragraph(f"and {len(review.tests) - len(tests):,} more", "dim")


def _others(review: ReviewDocument) -> Iterator[_Paragraph]:
    return (_Paragraph(f"{role_name(one.role):<15}{plain(one.path)}: {file_text(one)}") for one in review.other_files)


# Markdown


def _write_review(review: ReviewDocument, limit: int) -> str:
    """Return the review with at most `limit` items in each section."""
    parts = ["## Birthmark review", f"{escape(review.summary)}.", *map(escape, review.notes)]
    for heading, _, list_items in _SECTIONS:
        items = [*list_items(review)]
        if items:
            rest = [f"- … and {len(items) - limit:,} more"] if len(items) > limit else []
            parts.append(f"### {heading}\n\n" + "\n".join([*items[:limit], *rest]))
    return "\n\n".join(parts) + "\n"


def _write_comment(review: ReviewDocument, limit: int) -> str:
    return write_comment(REVIEW_MARKER, _write_review(review, limit))


def _write_changes(review: ReviewDocument) -> Iterator[str]:
    for change in review.changes:
        why = "; ".join([what_changed(change, STYLE), *change.reasons])
        place = f" in {place_text(place_of(change), STYLE)}" if change.kind != "file" else ""
        yield f"- **{change.risk}** {change_name(change, STYLE)}{place}: {why}"


def _write_interfaces(review: ReviewDocument) -> Iterator[str]:
    for one in review.interfaces:
        items = [user_text(user, STYLE) for user in one.users if not user.changed][:MOST_USERS]
        heads = [one.old_signature, one.new_signature]
        shown = [f"{word} {code(head)}" for word, head in zip(("was", "now"), heads, strict=True) if head]
        yield f"- {interface_name(one, STYLE)}: {interface_text(one, STYLE)}" + sublist(iter([*shown, *items]))


def _write_collapsed(review: ReviewDocument) -> Iterator[str]:
    return (f"- {one.word}: {collapsed_text(one, STYLE)}" for one in review.collapsed)


def _write_others(review: ReviewDocument) -> Iterator[str]:
    return (f"- {role_name(one.role)} {code(one.path)}: {file_text(one)}" for one in review.other_files)


def _write_triggers(review: ReviewDocument) -> Iterator[str]:
    for one in review.triggers:
        label = f" *{escape(one.label)}*" if one.label else ""
        summary = escape(one.summary.removeprefix(one.subject))
        yield f"- {code(one.subject)}{summary}{label} ({code(one.subscription_id)})"


def _write_tests(review: ReviewDocument) -> Iterator[str]:
    tests = review.affected if review.affected is not None else review.tests
    yield from (f"- {reaching_text(test, STYLE)}" for test in tests)
    if review.files and review.affected is None:
        yield f"- all that may be affected: {code(affected_advice(review))}"


_SECTIONS: tuple[
    tuple[str, Callable[[ReviewDocument], Iterable[_Paragraph]], Callable[[ReviewDocument], Iterable[str]]], ...
] = (
    ("To read, by risk", _changes, _write_changes),
    ("Changed interfaces", _interfaces, _write_interfaces),
    ("Moved, renamed or merely looking otherwise", _collapsed, _write_collapsed),
    ("Triggered subscriptions", _triggers, _write_triggers),
    ("Documents that name what changed", _documents, lambda review: map(document_item, review.docs)),
    ("Tests that may be affected", _tests, _write_tests),
    ("Other files", _others, _write_others),
)
