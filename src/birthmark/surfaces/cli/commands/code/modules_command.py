"""`modules`: folders or files, their layers, and how they use each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from birthmark.app.answers.listing.listing import from_root
from birthmark.app.answers.uses.modules import ModulesQuery, find_modules
from birthmark.app.workspace.file_writing import replace_file
from birthmark.documents.whole_graph import modules_document
from birthmark.documents.wording import plain
from birthmark.queries.module_map import CodeModule, ModuleMap, ModuleUse
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import LEFT_OUT, json_option, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, print_figures
from birthmark.surfaces.formats.pictures.module_picture import draw_modules
from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.text import paint, screen
from birthmark.words import count

_HEAD = ("layer", "files", "definitions", "uses", "used by", "cohesion", "module")
_LEGEND = (
    "uses, used by: how many other modules, and in brackets how often; "
    "cohesion: of the uses in a module, the share that stays in it"
)
_MOST_CYCLES = 10  # that are shown on a terminal
_MOST_USES = 12  # of a cycle


@click.command()
@click.argument("path", required=False)
@click.option("--depth", type=click.IntRange(1, 100), metavar="N", help="Folders down to N levels below PATH.")
@click.option("--files", "by_file", is_flag=True, help="Each file is a module.")
@click.option("--all", "with_all", is_flag=True, help="Also tests, documentation and generated files.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw a map; - is stdout.")
@json_option
def modules(
    path: str | None, depth: int | None, by_file: bool, with_all: bool, svg: Path | None, as_json: bool
) -> None:
    """List folders as modules from the highest layer to the lowest, with what they use and what uses them.

    A module uses modules in lower layers; those that use each other, directly or around, are in one layer and are
    marked as a cycle. PATH is a folder; without it all source files of the index are looked at.

    \b
    Examples:
      birthmark modules
      birthmark modules src/shop --depth 1
      birthmark modules src/shop/cart --files
      birthmark modules --svg modules.svg
    """
    if by_file and depth is not None:
        raise click.UsageError("--depth is for folders, and --files for files; give one of them")
    if svg is not None and as_json:
        raise click.UsageError("--svg draws and --json lists; give one of them")
    with asking() as session:
        named = from_root(session, [path])[0] if path is not None else None
        found = find_modules(session, ModulesQuery(named, depth, by_file, with_all))
        if as_json:
            print_json(modules_document(found, session.freshness))
            return
        warn_if_stale(session.freshness)
    if svg is not None:
        _draw(found, svg)
        return
    with paging():
        _print_modules(found)
        print_groups(_cycles(found))
        echo_wrapped(_summary(found))
    if len(found.modules) == 1 and not by_file:
        say("this is one folder; --files lists its files as modules")
    if path is None and not with_all:
        say(LEFT_OUT)


def _draw(found: ModuleMap, file: Path) -> None:
    drawn = standalone(draw_modules(found))
    if str(file) == "-":
        click.echo(drawn, nl=False)
        return
    replace_file(file, drawn.encode("utf-8", "replace"))
    say(f"{plain(str(file))}: {_summary(found)}")


def _print_modules(found: ModuleMap) -> None:
    if not found.modules:
        return
    print_figures(_HEAD, [[*_figures(module), _name(module)] for module in found.modules])
    click.echo()
    echo_wrapped(paint(_LEGEND, "dim"))
    click.echo()


def _figures(module: CodeModule) -> tuple[str, ...]:
    cohesion = "" if module.cohesion is None else f"{module.cohesion:.0%}".replace("%", " %")
    return (
        f"{module.layer}",
        f"{module.n_files:,}",
        f"{module.n_entities:,}",
        _coupling(module.n_used, module.n_outgoing),
        _coupling(module.n_users, module.n_incoming),
        cohesion,
    )


def _coupling(n_modules: int, n_uses: int) -> str:
    return f"{n_modules:,} ({n_uses:,})" if n_modules else "0"


def _name(module: CodeModule) -> Cell:
    if module.cycle is None:
        return Cell(plain(module.name))
    return Cell(plain(f"{module.name}  cycle {module.cycle}"), "yellow")


def _cycles(found: ModuleMap) -> Iterator[tuple[str, list[TableRow]]]:
    is_whole = screen().columns is None
    for number, names in enumerate(found.cycles if is_whole else found.cycles[:_MOST_CYCLES], 1):
        uses = [use for use in found.uses if use.cycle == number]
        uses.sort(key=lambda use: (not use.is_closing, use.n_uses, use.user, use.used))
        shown = uses if is_whole else uses[:_MOST_USES]
        width = max(len(f"{use.n_uses:,}") for use in shown)
        rows = [_use_row(use, width) for use in shown]
        n_more = len(uses) - len(shown)
        more: list[TableRow] = [("", f"and {n_more:,} more", "")] if n_more else []
        yield (
            f"cycle {number}: {count(len(names), 'module')}; without what is marked * there would be none",
            rows + more,
        )


def _use_row(use: ModuleUse, width: int) -> TableRow:
    mark = "*" if use.is_closing else " "
    first = f"{'at' if use.n_uses == 1 else 'first'} {use.path}:{use.line}"
    return f"{mark} {use.n_uses:>{width},}", plain(f"{use.user} uses {use.used}"), Cell(plain(first), "dim")


def _summary(found: ModuleMap) -> str:
    if not found.modules:
        return "no module: no file of the index is in it"
    n_layers = max(module.layer for module in found.modules) + 1
    n_inside = sum(module.n_inside for module in found.modules)
    n_between = sum(use.n_uses for use in found.uses)
    n_cyclic = sum(map(len, found.cycles))
    cycles = f"{count(len(found.cycles), 'cycle')} of {count(n_cyclic, 'module')}" if n_cyclic else "no cycles"
    where = f"{count(len(found.modules), 'module')} in {count(n_layers, 'layer')}, {cycles}"
    return f"{where}; {count(n_inside, 'use')} inside of modules, {n_between:,} between them"
