"""`modules` and `hotspots`: how folders or files use each other, and what changes often and has many users."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import gmtime, strftime
from typing import Any

import click

from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.session import Session
from birthmark.documents.whole_graph import (
    HotspotDocument,
    HotspotsDocument,
    ModuleDocument,
    ModulesDocument,
    ModuleUseDocument,
)
from birthmark.documents.wording import plain
from birthmark.questions.question import make_question
from birthmark.questions.structure import Hotspots, Modules
from birthmark.surfaces.cli.question_command import question_command, values_of
from birthmark.surfaces.cli.terminal.output import LEFT_OUT, say
from birthmark.surfaces.cli.terminal.tables import MOST_ROWS, Cell, TableRow, echo_wrapped, print_figures, print_groups
from birthmark.surfaces.formats.pictures.module_picture import draw_modules
from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.text import paint, screen
from birthmark.words import count, lines_of

_MODULE_HEAD = ("layer", "files", "definitions", "uses", "used by", "cohesion", "module")
_LEGEND = (
    "uses, used by: how many other modules, and in brackets how often; "
    "cohesion: of the uses in a module, the share that stays in it"
)
_MOST_CYCLES = 10  # that are shown on a terminal
_MOST_USES = 12  # of a cycle
_HOTSPOT_HEAD = ("score", "changes", "lines", "users", "last", "definition")
_NOT_REPLAYED = (
    "history was not replayed: changes are counted by runs of the index, not by commits; "
    "`birthmark index --from-history` replays it"
)


def _show_modules(asked: Modules, found: ModulesDocument, *, svg: Path | None) -> None:
    if svg is not None:
        _draw(found, svg)
        return
    _print_modules(found)
    print_groups(_cycles(found))
    echo_wrapped(_summary(found))
    if len(found.modules) == 1 and not asked.files:
        say("this is one folder; --files lists its files as modules")
    if asked.path is None and not asked.all:
        say(LEFT_OUT)


_SVG = click.Option(
    ["--svg"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw a map; - is stdout."
)
modules = question_command(Modules, _show_modules, options=[_SVG])


def _draw(found: ModulesDocument, file: Path) -> None:
    drawn = standalone(draw_modules(found))
    if str(file) == "-":
        click.echo(drawn, nl=False)
        return
    replace_file(file, drawn.encode("utf-8", "replace"))
    say(f"{plain(str(file))}: {_summary(found)}")


def _print_modules(found: ModulesDocument) -> None:
    if not found.modules:
        return
    print_figures(_MODULE_HEAD, [[*_figures(module), _name(module)] for module in found.modules])
    click.echo()
    echo_wrapped(paint(_LEGEND, "dim"))
    click.echo()


def _figures(module: ModuleDocument) -> tuple[str, ...]:
    cohesion = "" if module.cohesion is None else f"{module.cohesion:.0%}".replace("%", " %")
    return (
        f"{module.layer}",
        f"{module.files:,}",
        f"{module.entities:,}",
        _coupling(module.used_modules, module.outgoing_uses),
        _coupling(module.user_modules, module.incoming_uses),
        cohesion,
    )


def _coupling(n_modules: int, n_uses: int) -> str:
    return f"{n_modules:,} ({n_uses:,})" if n_modules else "0"


def _name(module: ModuleDocument) -> Cell:
    if module.cycle is None:
        return Cell(plain(module.name))
    return Cell(plain(f"{module.name}  cycle {module.cycle}"), "yellow")


def _cycles(found: ModulesDocument) -> Iterator[tuple[str, list[TableRow]]]:
    is_whole = screen().columns is None
    for number, names in enumerate(found.cycles if is_whole else found.cycles[:_MOST_CYCLES], 1):
        uses = [use for use in found.uses if use.cycle == number]
        uses.sort(key=lambda use: (not use.closing, use.uses, use.user, use.used))
        shown = uses if is_whole else uses[:_MOST_USES]
        width = max(len(f"{use.uses:,}") for use in shown)
        rows = [_use_row(use, width) for use in shown]
        n_more = len(uses) - len(shown)
        more: list[TableRow] = [("", f"and {n_more:,} more", "")] if n_more else []
        yield (
            f"cycle {number}: {count(len(names), 'module')}; without what is marked * there would be none",
            rows + more,
        )


def _use_row(use: ModuleUseDocument, width: int) -> TableRow:
    mark = "*" if use.closing else " "
    first = f"{'at' if use.uses == 1 else 'first'} {use.site.path}:{use.site.line}"
    return f"{mark} {use.uses:>{width},}", plain(f"{use.user} uses {use.used}"), Cell(plain(first), "dim")


def _summary(found: ModulesDocument) -> str:
    if not found.modules:
        return "no module: no file of the index is in it"
    n_inside = sum(module.inside_uses for module in found.modules)
    n_between = sum(use.uses for use in found.uses)
    n_cyclic = sum(map(len, found.cycles))
    cycles = f"{count(len(found.cycles), 'cycle')} of {count(n_cyclic, 'module')}" if n_cyclic else "no cycles"
    where = f"{count(len(found.modules), 'module')} in {count(found.layers, 'layer')}, {cycles}"
    return f"{where}; {count(n_inside, 'use')} inside of modules, {n_between:,} between them"


def _print_hotspots(asked: Hotspots, found: HotspotsDocument, *, more_paths: Sequence[str]) -> None:
    if found.results:
        print_figures(_HOTSPOT_HEAD, map(_hotspot_row, found.results))
        click.echo()
    echo_wrapped(_hotspots_summary(found, asked.since))
    if not found.history_replayed:
        say(_NOT_REPLAYED)
    if not asked.path and not asked.all:
        say(LEFT_OUT)


_PATH = click.Option(["--path", "more_paths"], multiple=True, hidden=True)  # once documented; the same as PATH


def _make_hotspots(session: Session, given: dict[str, Any]) -> Hotspots:
    return make_question(Hotspots, values_of(Hotspots, given | {"path": (*given["path"], *given["more_paths"])}))


hotspots = question_command(Hotspots, _print_hotspots, options=[_PATH], build=_make_hotspots, first=MOST_ROWS)


def _hotspot_row(one: HotspotDocument) -> TableRow:
    entity, figures = one.entity, (one.score, one.changes, one.lines, one.users)
    place = f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}"
    day = strftime("%Y-%m-%d", gmtime(one.last_at))
    return [*(f"{figure:,}" for figure in figures), Cell(day, "dim"), plain(f"{entity.qualified_name}  {place}")]


def _hotspots_summary(found: HotspotsDocument, since: str | None) -> str:
    definitions = count(found.searched_entities, "definition")
    after = f" after {plain(since)}" if since is not None else ""
    if not found.history_replayed and not found.runs:
        return f"no change is known of {definitions}{after or ' since the index was made'}"
    runs = [count(found.runs, "run") + " of the index"] if found.runs else []
    commits = [count(found.replayed_commits, "replayed commit")] if found.history_replayed else []
    return f"{found.total:,} of {definitions} changed in {' and '.join([*commits, *runs])}{after}"
