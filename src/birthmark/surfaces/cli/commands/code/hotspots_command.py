"""`hotspots`: what changes often, is long and has many users."""

from __future__ import annotations

from time import gmtime, strftime

import click

from birthmark.app.answers.listing.listing import from_root
from birthmark.app.answers.uses.hotspots import FoundHotspot, Hotspots, HotspotsQuery, list_hotspots
from birthmark.documents.whole_graph import hotspots_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped
from birthmark.surfaces.cli.terminal.output import LEFT_OUT, json_option, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, print_figures
from birthmark.words import count, lines_of

_HEAD = ("score", "changes", "lines", "users", "last", "definition")
_NOT_REPLAYED = (
    "history was not replayed: changes are counted by runs of the index, not by commits; "
    "`birthmark index --from-history` replays it"
)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--path", "more_paths", multiple=True, metavar="PATH", help="The same as PATH.")
@click.option("--since", metavar="REV", help="Only changes after a revision, or a date as git reads it.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, metavar="N", help="List N at most."
)
@click.option("--all", "with_all", is_flag=True, help="Also tests, documentation and generated files.")
@json_option
def hotspots(
    paths: tuple[str, ...], more_paths: tuple[str, ...], since: str | None, limit: int, with_all: bool, as_json: bool
) -> None:
    """List definitions that change often, are long and have many users, the hottest first.

    The score is changes * lines * (users + 1). Changes are the commits that changed the code, as `birthmark index
    --from-history` has replayed them; otherwise runs of the index that found it changed. PATH is a file or a folder.

    \b
    Examples:
      birthmark hotspots
      birthmark hotspots src/shop --since '1 year ago'
      birthmark hotspots --since v2.0 --limit 50 --json
    """
    with asking() as session:
        query = HotspotsQuery(from_root(session, [*paths, *more_paths]), since, with_all)
        found = list_hotspots(session, query, limit=limit)
        if as_json:
            print_json(hotspots_document(found, session.freshness))
            return
        warn_if_stale(session.freshness)
    with paging():
        _print_hotspots(found)
        echo_wrapped(_summary(found, since))
    if not found.is_replayed:
        say(_NOT_REPLAYED)
    if not query.paths and not with_all:
        say(LEFT_OUT)


def _print_hotspots(hotspots: Hotspots) -> None:
    if hotspots.found:
        print_figures(_HEAD, [_row(one) for one in hotspots.found])
        click.echo()


def _row(one: FoundHotspot) -> TableRow:
    hotspot, entity = one.hotspot, one.indexed.entity
    figures = (hotspot.score, hotspot.n_changes, hotspot.n_lines, hotspot.n_users)
    place = f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}"
    day = strftime("%Y-%m-%d", gmtime(one.last.at))
    return [*(f"{figure:,}" for figure in figures), Cell(day, "dim"), plain(f"{entity.qualified_name}  {place}")]


def _summary(hotspots: Hotspots, since: str | None) -> str:
    definitions = count(hotspots.n_searched, "definition")
    after = f" after {plain(since)}" if since is not None else ""
    if not hotspots.is_replayed and not hotspots.n_runs:
        return f"no change is known of {definitions}{after or ' since the index was made'}"
    runs = [count(hotspots.n_runs, "run") + " of the index"] if hotspots.n_runs else []
    commits = [count(hotspots.n_commits, "replayed commit")] if hotspots.is_replayed else []
    n_more = hotspots.n_found - len(hotspots.found)
    more = f"; --limit lists {n_more:,} more" if n_more else ""
    return f"{hotspots.n_found:,} of {definitions} changed in {' and '.join([*commits, *runs])}{after}{more}"
