"""`cycles`, `components`, `rank` and `unused`: what the graph of all definitions or files shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import UseDocument
from birthmark.documents.whole_graph import (
    ComponentsDocument,
    CycleDocument,
    CyclesDocument,
    DoubtDocument,
    GroupNodeDocument,
    RankDocument,
    RankedDocument,
    UnusedDefinitionDocument,
    UnusedDocument,
)
from birthmark.documents.wording import plain
from birthmark.questions.whole_graph import Components, Cycles, Rank, Unused
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.tables import MOST_ROWS, Cell, TableRow, echo_wrapped, print_groups, print_table
from birthmark.surfaces.cli.terminal.trees import describe_use
from birthmark.surfaces.text import fit, fit_middle, screen
from birthmark.vocabulary import UnusedDoubt
from birthmark.words import count

_MOST_NODES = 12  # of a group, on a terminal
_NO_DOUBT = "private, and named nowhere else"
# The headings by the strongest doubt about the definitions below.
_HEADINGS = {
    UnusedDoubt.PUBLIC: "named nowhere else, but public for other repositories",
    UnusedDoubt.GENERATED: "in generated code",
    UnusedDoubt.DOCUMENTATION: "in documentation or an example",
    UnusedDoubt.BASE_OUTSIDE: "in a class with a base outside, which may use it",
    UnusedDoubt.OTHER_FILE: "named in a file of another language",
    UnusedDoubt.QUOTED: "named in a string",
    UnusedDoubt.NAMED: "named in code, where something else may be meant",
    UnusedDoubt.IMPORTED: "imported, perhaps for others to import",
    UnusedDoubt.DECORATED: "decorated, and perhaps registered by that",
    UnusedDoubt.ENTRY_POINT: "where a program starts",
    UnusedDoubt.SPECIAL: "used by the language itself, by its name",
    UnusedDoubt.TEST: "tests, which a test runner finds",
}
_NOUNS = {
    UnusedDoubt.TEST: "test",
    UnusedDoubt.SPECIAL: "special name",
    UnusedDoubt.ENTRY_POINT: "entry point",
    UnusedDoubt.DECORATED: "decorated definition",
}


def _show_cycles(asked: Cycles, found: CyclesDocument) -> None:
    print_groups((_heading(asked, one.nodes), _cycle_rows(one)) for one in found.groups)
    echo_wrapped(_summary(asked, found, "no cycle"))


def _show_components(asked: Components, found: ComponentsDocument) -> None:
    print_groups((_heading(asked, one.nodes), _node_rows(one.nodes)) for one in found.groups)
    echo_wrapped(_summary(asked, found, "no two that are connected"))


def _show_rank(asked: Rank, found: RankDocument) -> None:
    title = "file" if asked.files else "name"
    print_table([("score", "users", title), *(_ranked_row(one, found.found) for one in found.results)])
    click.echo()
    echo_wrapped(f"the first {len(found.results):,} of {count(found.found, _noun(asked))}")


def _show_unused(asked: Unused, found: UnusedDocument) -> None:
    print_groups(_groups_by_doubt(found.results))
    among = f"among {count(found.searched, 'definition')}"
    if found.found:
        echo_wrapped(f"{count(found.found, 'definition')} without known users, {among}")
    else:
        echo_wrapped(f"all is used, or may be, {among}")
    if found.left_out:
        words = ", ".join(count(number, _NOUNS[doubt]) for doubt, number in found.left_out.items())
        echo_wrapped(f"not listed, as they are likely used: {words}; --all lists them")
    if not found.in_time:
        echo_wrapped(f"not all were looked at within {asked.timeout:g} s; --timeout allows more")


def _noun(asked: Cycles | Components | Rank) -> str:
    return "file" if asked.files else "definition"


def _heading(asked: Cycles | Components, nodes: Sequence[GroupNodeDocument]) -> str:
    where = "" if asked.files else f" in {count(len({node.path for node in nodes}), 'file')}"
    return f"{count(len(nodes), _noun(asked))}{where}"


def _summary(asked: Cycles | Components, found: CyclesDocument | ComponentsDocument, none: str) -> str:
    among = f"among {count(found.searched, _noun(asked))}"
    if not found.found:
        return f"{none} {among}"
    n_groups = count(found.found, "group")
    return f"{count(found.connected, _noun(asked))} in {n_groups}, {among}"


def _cycle_rows(group: CycleDocument) -> list[TableRow]:
    """Return a way round, then the others of the group."""
    used = {_key(use.used, use.used_path) for use in group.cycle}
    others = [node for node in group.nodes if _key(node.entity, node.path) not in used]
    rest = [(Cell("and with them", "dim"),), *_node_rows(others)] if others else []
    return [*map(_use_row, group.cycle), *rest]


def _key(entity: EntityDocument | None, path: str) -> str:
    return entity.mark if entity is not None else path


def _use_row(use: UseDocument) -> TableRow:
    name = [plain(use.user.qualified_name)] if use.user is not None else []
    sureness = ", ".join(describe_use(use.edge, use.resolution))
    words = ["uses", plain(use.used.qualified_name if use.used is not None else use.used_path)]
    words += [f"({sureness})"] if sureness else []
    return *name, Cell(_cut(f"{use.site.path}:{use.site.line}"), "dim"), " ".join(words)


def _node_rows(nodes: Sequence[GroupNodeDocument]) -> list[TableRow]:
    most = len(nodes) if screen().columns is None else _MOST_NODES
    rows: list[TableRow] = [
        (_cut(_place(node)), plain(node.entity.qualified_name) if node.entity is not None else "")
        for node in nodes[:most]
    ]
    n_more = len(nodes) - most
    return [*rows, (Cell(f"and {n_more:,} more", "dim"),)] if n_more > 0 else rows


def _ranked_row(one: RankedDocument, n_all: int) -> TableRow:
    figures = f"{one.score * n_all:.1f}".rjust(5), f"{one.users:,}".rjust(5)
    if one.entity is None:
        return *figures, plain(one.path)
    return *figures, plain(one.entity.qualified_name), Cell(_place(one), "dim")


def _place(node: GroupNodeDocument | RankedDocument) -> str:
    return plain(node.path if node.entity is None else f"{node.path}:{node.entity.start_line}")


def _cut(place: str) -> str:
    columns = screen().columns
    return fit_middle(plain(place), None if columns is None else max(columns // 2, 20))


def _groups_by_doubt(listed: Sequence[UnusedDefinitionDocument]) -> Iterator[tuple[str, list[TableRow]]]:
    for doubt, group in groupby(listed, key=lambda one: one.doubts[0].doubt if one.doubts else None):
        yield _HEADINGS[doubt] if doubt is not None else _NO_DOUBT, [_unused_row(one) for one in group]


def _unused_row(one: UnusedDefinitionDocument) -> TableRow:
    entity, columns = one.entity, screen().columns
    width = None if columns is None else columns // 3
    place = fit_middle(plain(f"{entity.path}:{entity.start_line}"), width)
    inside = f", {one.inside:,} inside" if one.inside else ""
    name = fit(plain(f"{entity.qualified_name}{inside}"), width)
    return place, Cell(entity.kind, "cyan"), name, Cell(_evidence(one.doubts[0]) if one.doubts else "", "dim")


def _evidence(found: DoubtDocument) -> str:
    """Return what the heading does not say: the place or the name."""
    return plain(f"{found.site.path}:{found.site.line}" if found.site is not None else found.detail or "")


cycles = question_command(Cycles, _show_cycles, first=MOST_ROWS)
components = question_command(Components, _show_components, first=MOST_ROWS)
rank = question_command(Rank, _show_rank, first=MOST_ROWS)
unused = question_command(Unused, _show_unused, first=MOST_ROWS)
