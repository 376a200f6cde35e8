"""`show` and `resolve`: what a REF names, and what became of it."""

from __future__ import annotations

import time
from textwrap import dedent

import click

from birthmark.app.queries import resolve_at, show_ref
from birthmark.app.session import asking
from birthmark.model import Entity
from birthmark.queries.life import LedgerEvent
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.cli.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.text import lines_of, paint, short
from birthmark.surfaces.wire.answers import resolved_document, shown_document
from birthmark.vocabulary import RefStatus


@click.command()
@click.argument("ref")
@json_option
def show(ref: str, as_json: bool) -> None:
    """Show one entity: its ids, where it is, and its source.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name.

    \b
    Examples:
      birthmark show Flask.url_for
      birthmark show src/app.py:120
      birthmark show bm-7k3q9w2m4x8p --json
    """
    with asking() as session:
        indexed, file, text = show_ref(session, ref)
        if as_json:
            print_json(shown_document(indexed, text, session.freshness))
            return
        warn_if_stale(session.freshness)
    entity = indexed.entity
    click.echo(f"{paint(entity.kind, 'cyan')} {entity.qualified_name}  {_location(indexed)}")
    for name, id_ in (("mark", indexed.mark), ("key", indexed.key), ("id", indexed.semantic_id)):
        click.echo(f"  {name:4}  {id_}")
    click.echo()
    click.echo(dedent(" " * _indent(file, entity.start_byte) + text))


def _indent(source: bytes, start: int) -> int:
    """How far the line is indented in which something starts, so that all its lines line up."""
    line = source[source.rfind(b"\n", 0, start) + 1 : start]
    return len(line.expandtabs()) if not line.strip() else 0


@click.command()
@click.argument("ref")
@json_option
@click.option(
    "--at", "revision", metavar="REV", help="Also show where it was at a revision; needs `index --from-history`."
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 unless it is present.")
@click.pass_context
def resolve(ctx: click.Context, ref: str, as_json: bool, revision: str | None, exit_code: bool) -> None:
    """Show where an entity is now, or what became of it.

    REF is a mark, key, semantic id, chunk uid, path:line, path:first-last, path::Qualified.name, or a unique name.
    Every id that the index ever issued is understood.

    \b
    Examples:
      birthmark resolve bm-7k3q9w2m4x8p
      birthmark resolve 'python:fn:load:__src_app_py:T1706284800'
      birthmark resolve 'src/app.py->FUNCTION->load[in:global]' --json
      birthmark resolve bm-7k3q9w2m4x8p --at v1.0
    """
    with asking() as session:
        answer, located = resolve_at(session, ref, revision)
        if as_json:
            print_json(resolved_document(answer, session.freshness, located))
        else:
            warn_if_stale(session.freshness)
            _print_answer(answer)
            if located is not None:
                _print_location_at(*located)
    if exit_code and answer.status != RefStatus.PRESENT:
        ctx.exit(1)


def _print_location_at(commit: str, entity: Entity | None) -> None:
    if entity is None:
        click.echo(f"at {short(commit)}  it was not there")
    else:
        where = f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}"
        click.echo(f"at {short(commit)}  {entity.kind} {entity.qualified_name}  {where}")


def _print_answer(answer: ResolvedRef) -> None:
    colour = "green" if answer.status is RefStatus.PRESENT else "yellow"
    click.echo(f"{paint(answer.status, colour)}  {_where(answer)}".rstrip())
    if answer.identity is not None:
        click.echo(f"  mark  {answer.identity.mark}")
        click.echo(f"  key   {answer.indexed.key if answer.indexed else answer.identity.key}")
    for ledger_event in answer.events:
        click.echo(f"  {_describe(ledger_event)}")
    if answer.candidates:
        click.echo("  may be" if answer.status == RefStatus.AMBIGUOUS else "  may have been")
        for candidate in answer.candidates:
            click.echo(f"    {candidate.mark}  {candidate.key}")


def _where(answer: ResolvedRef) -> str:
    if answer.node is not None:
        path, node, _ = answer.node
        return f"{node.type} {node.name}  {path}:{lines_of(node.start_line, node.end_line)}"
    if answer.chunk is not None:
        file, index = answer.chunk
        chunk = file.outline.chunks[index]
        return f"chunk {chunk.name or chunk.kind}  {file.path}:{lines_of(chunk.start_line, chunk.end_line)}"
    if answer.indexed is not None:
        return f"{answer.indexed.entity.kind} {answer.indexed.entity.qualified_name}  {_location(answer.indexed)}"
    gone = answer.deletion
    if answer.status == RefStatus.GONE and gone is not None:
        return f"{gone.event.qualified_name}  was in {gone.event.path}, deleted at {short(gone.run.revision)}"
    return answer.ref


def _describe(ledger_event: LedgerEvent) -> str:
    event, run = ledger_event.event, ledger_event.run
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.at))
    where = f"{event.path}:{lines_of(event.start_line, event.end_line)}"
    why = f"  ({event.evidence})" if event.evidence else ""
    return f"{when}  {short(run.revision):12}  {event.change:9}  {event.qualified_name}  {where}{why}"


def _location(indexed: IndexedEntity) -> str:
    return f"{indexed.entity.path}:{lines_of(indexed.entity.start_line, indexed.entity.end_line)}"
