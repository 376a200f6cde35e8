"""`show` and `resolve`: what a REF names, and what became of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent

import click

from birthmark.app.answers.resolving import ResolvedAt, resolve_all
from birthmark.app.answers.showing import ShownEntity, show_ref
from birthmark.documents.answers import ResolvedDocument, resolved_document, shown_document
from birthmark.documents.wording import plain
from birthmark.model import Entity
from birthmark.queries.resolve import Candidate, ResolvedRef
from birthmark.surfaces.cli.everywhere_option import everywhere_option, say_problems
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.derivation_words import carrier_row, describe_descent
from birthmark.surfaces.cli.terminal.lives import (
    describe_deletion,
    describe_former,
    describe_former_owners,
    describe_origin,
    life_rows,
    place_of,
)
from birthmark.surfaces.cli.terminal.note_lists import note_lines
from birthmark.surfaces.cli.terminal.output import (
    json_option,
    list_options,
    print_json,
    print_line,
    say,
    say_error,
    warn_if_stale,
)
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.surfaces.declarations import declaration, local_declaration
from birthmark.surfaces.text import paint
from birthmark.vocabulary import RefStatus
from birthmark.words import lines_of, short, visible

_UNANSWERED = (RefStatus.UNKNOWN, RefStatus.AMBIGUOUS)


@click.command()
@click.argument("ref")
@json_option
def show(ref: str, as_json: bool) -> None:
    """Show one entity: its ids, where it is, and its source.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name. A
    former name or path is understood as well; of what is deleted the last known source is shown.

    \b
    Examples:
      birthmark show Flask.url_for
      birthmark show src/app.py:120
      birthmark show bm-7k3q9w2m4x8p --json
    """
    with asking() as session:
        shown = show_ref(session, ref)
        if as_json:
            print_json(shown_document(shown, session.freshness))
            return
        warn_if_stale(session.freshness)
    _say_former_owners(shown.answer.resolved)
    with paging():
        _print_shown(shown)


def _print_shown(shown: ShownEntity) -> None:
    entity, indexed = shown.indexed.entity, shown.indexed
    click.echo(f"{paint(entity.kind, 'cyan')} {paint(plain(entity.qualified_name), 'bold')}  {place_of(entity)}")
    for remark in _remarks(shown.answer, entity):
        click.echo(f"  {paint(remark, 'yellow')}")
    _print_signature(entity)
    names = (("language", entity.language), ("mark", indexed.mark), ("key", indexed.key), ("id", indexed.semantic_id))
    _print_names(names)
    if shown.notes:
        click.echo("  notes")
    for line in (line for one in shown.notes for line in note_lines(one, "    ")):
        click.echo(line)
    click.echo()
    source = dedent(" " * shown.indent + shown.text)
    click.echo("\n".join(map(visible, source.splitlines())))


def _print_names(names: Sequence[tuple[str, str]]) -> None:
    """Ids are not cut, so that they can be copied."""
    width = max(len(name) for name, _ in names)
    for name, value in names:
        click.echo(f"  {name.ljust(width)}  {visible(value)}")


def _print_signature(entity: Entity) -> None:
    print_table([(local_declaration(entity),)], "  ")


def _remarks(answer: ResolvedAt, entity: Entity) -> Iterator[str]:
    resolved = answer.resolved
    if resolved.deletion is not None:
        yield describe_deletion(resolved.deletion, answer.commits)
    if resolved.was is not None and resolved.indexed is not None:
        yield describe_origin(resolved.was.event, entity)
    yield from describe_descent(resolved.descent, entity.path)


@click.command()
@click.argument("refs", metavar="REF...", nargs=-1, required=True)
@list_options
@click.option("--at", "revision", metavar="REV", help="Take paths, lines and names of REF as they were at a revision.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 unless all are present.")
@everywhere_option
@click.pass_context
def resolve(
    ctx: click.Context,
    refs: tuple[str, ...],
    form: str | None,
    revision: str | None,
    exit_code: bool,
    everywhere: bool,
) -> None:
    """Show where an entity is now, or what became of it.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name.
    Every id that the index ever issued is understood, and every name or path that an entity ever had. With `--at`, a
    path and what is in it are those of that revision; of an id, it is also shown where it was there.

    Several REFs are answered in their order, each in short; `-` reads them from standard input, one a line. In JSON
    there is then a document a line, with `--json` as with `--jsonl`. Exits with 2 if one of them is unknown or
    ambiguous.

    With `--everywhere`, what its code was copied or moved from in other repositories of the database is shown as well,
    what it was copied into and, of what is deleted, what has its code now.

    \b
    Examples:
      birthmark resolve bm-7k3q9w2m4x8p
      birthmark resolve 'python:fn:load:__src_app_py:T1706284800'
      birthmark resolve src/app.py:12 --at v1.0
      birthmark resolve --json - < marks.txt
      birthmark resolve Cart.total --everywhere --store postgresql://host/birthmark
    """
    is_many = len(refs) > 1 or "-" in refs
    with asking() as session:
        others = session.others(everywhere)
        answers = others.add_descents(resolve_all(session, _read_refs(refs), revision))
        if form is None:
            warn_if_stale(session.freshness)
            statuses = _print_answers(answers, is_many)
        else:
            documents = ((resolved_document(answer, session.freshness), answer) for answer in answers)
            statuses = _print_documents(documents, form, is_many)
    say_problems(others.problems)
    if statuses.intersection(_UNANSWERED):
        ctx.exit(2)
    if exit_code and statuses - {RefStatus.PRESENT}:
        ctx.exit(1)


def _read_refs(refs: Iterable[str]) -> Iterator[str]:
    """`-` is for the lines of standard input, as they come; empty ones are left out."""
    for ref in refs:
        if ref == "-":
            lines = (line.decode("utf-8", "surrogateescape") for line in sys.stdin.buffer)
            yield from (line.rstrip("\r\n") for line in lines if line.strip())
        else:
            yield ref


def _print_documents(
    documents: Iterable[tuple[ResolvedDocument, ResolvedAt]], form: str, is_many: bool
) -> set[RefStatus]:
    """As they come; of many REFs a line each."""
    print_one = print_json if form == "json" and not is_many else print_line
    statuses: set[RefStatus] = set()
    for document, answer in documents:
        print_one(document)
        statuses.add(answer.resolved.status)
    return statuses


def _print_answers(answers: Iterable[ResolvedAt], is_many: bool) -> set[RefStatus]:
    statuses: set[RefStatus] = set()
    with paging():
        for answer in answers:
            statuses.add(answer.resolved.status)
            _print_answer(answer, is_many)
    return statuses


def _print_answer(answer: ResolvedAt, is_many: bool) -> None:
    """One that has no single answer is an error like any other; among many the next ones follow."""
    resolved = answer.resolved
    if resolved.status in _UNANSWERED and resolved.life is None:
        sys.stdout.flush()
        if resolved.problem is not None:
            say_error(resolved.problem)
        return
    asked = f"{plain(resolved.ref)}  " if is_many else ""
    click.echo(f"{asked}{paint(resolved.status, _COLORS[resolved.status])}  {_headline(resolved)}".rstrip())
    for remark in _remarks_of(answer):
        click.echo(f"  {remark}")
    if resolved.identity is not None and not is_many:
        _print_details(answer)
    _say_former_owners(resolved)
    if resolved.problem is not None:
        say_error(resolved.problem)


_COLORS = {RefStatus.PRESENT: "green", RefStatus.GONE: "yellow", RefStatus.AMBIGUOUS: "yellow"}


def _headline(resolved: ResolvedRef) -> str:
    if resolved.node is not None:
        path, node, _ = resolved.node
        return f"{node.type} {plain(node.name)}  {plain(path)}:{lines_of(node.start_line, node.end_line)}"
    if resolved.chunk is not None:
        file, index = resolved.chunk
        chunk = file.outline.chunks[index]
        place = f"{plain(file.path)}:{lines_of(chunk.start_line, chunk.end_line)}"
        return f"chunk {plain(chunk.name or chunk.kind)}  {place}"
    entity = resolved.indexed.entity if resolved.indexed is not None else resolved.located
    if entity is not None:
        return f"{entity.kind} {paint(plain(entity.qualified_name), 'bold')}  {place_of(entity)}"
    if resolved.life is None:
        return plain(resolved.ref)
    event = (resolved.deletion or resolved.life.last).event
    return f"{paint(plain(event.qualified_name), 'bold')}  was at {place_of(event)}"


def _remarks_of(answer: ResolvedAt) -> Iterator[str]:
    """What became of what was asked for, in a line or two."""
    resolved = answer.resolved
    if resolved.was is not None and resolved.indexed is not None:
        yield paint(describe_former(resolved.was.event, resolved.indexed.entity), "yellow")
    if resolved.deletion is not None:
        yield paint(describe_deletion(resolved.deletion, answer.commits), "yellow")
    if resolved.life is not None:
        place = resolved.life.shown or resolved.life.last.event
        yield from (paint(clause, "yellow") for clause in describe_descent(resolved.descent, place.path))
    if answer.location is not None and resolved.life is not None:
        yield _describe_location(*answer.location)


def _describe_location(commit: str, entity: Entity | None) -> str:
    if entity is None:
        return f"at {short(commit)} it was not there"
    return f"at {short(commit)} it was {entity.kind} {plain(entity.qualified_name)}  {place_of(entity)}"


def _print_details(answer: ResolvedAt) -> None:
    resolved = answer.resolved
    assert resolved.identity is not None
    if resolved.indexed is not None:
        _print_signature(resolved.indexed.entity)
    key = resolved.indexed.key if resolved.indexed is not None else resolved.identity.key
    _print_names((("mark", resolved.identity.mark), ("key", key)))
    click.echo()
    print_table(life_rows(resolved.events, answer.commits), "  ")
    if resolved.candidates:
        click.echo("\n  may have become" if resolved.indexed is None else "\n  may have been")
        print_table([_candidate_row(candidate) for candidate in resolved.candidates], "    ")
    if resolved.descent.carriers:
        click.echo("\n  its code is now in")
        print_table(map(carrier_row, resolved.descent.carriers), "    ")


def _candidate_row(candidate: Candidate) -> tuple[str, str, str]:
    life, indexed = candidate
    where = indexed.entity if indexed is not None else life.last.event
    what = declaration(indexed.entity) if indexed is not None else f"{plain(where.qualified_name)}, deleted"
    return place_of(where), life.identity.mark, what


def _say_former_owners(resolved: ResolvedRef) -> None:
    described = describe_former_owners(resolved)
    if described is not None:
        say(described)
