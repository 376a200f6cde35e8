"""`impact` and `path`: what may break when a definition is changed, and how one definition comes to use another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from birthmark.app.answers.impact import MOST
from birthmark.documents.uses import ImpactDocument, ImpactUserDocument, PathDocument, name_of
from birthmark.documents.wording import plain
from birthmark.questions.impact import Impact, UsePath
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.trees import LEGEND, UNSEEN, UNSEEN_ANYWHERE, UseRow, describe_use, use_lines
from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.formats.pictures.use_pictures import draw_impact, impact_mermaid, path_mermaid
from birthmark.surfaces.text import paint
from birthmark.words import count, lines_of, place_elsewhere

_SVG = click.Option(
    ["--svg"], type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw the tree into a file."
)
_MERMAID = click.Option(["--mermaid"], is_flag=True, help="Print a Mermaid diagram for Markdown pages.")
_NO_TIME = "the time was over before all was looked at; --timeout allows more"


_MOST_POSSIBLE = 20


def _show_impact(asked: Impact, found: ImpactDocument, *, svg: Path | None, mermaid: bool) -> None:
    if mermaid:
        click.echo(impact_mermaid(found), nl=False)
    if svg is not None:
        svg.write_text(standalone(draw_impact(found)), encoding="utf-8")
        say(f"wrote {plain(str(svg))}: {count(len(found.results), 'user')}")
    if mermaid or svg is not None:
        return
    _print_tree(asked, found, [user for user in found.results if user.repository is None])
    if asked.everywhere:
        _print_elsewhere([user for user in found.results if user.repository is not None])


def _print_elsewhere(users: Sequence[ImpactUserDocument]) -> None:
    """Print the users in other repositories by file, and how many uses away each is."""
    groups: dict[str, list[TableRow]] = {}
    for user in users:
        note, name = ", ".join(describe_use(user.edge, user.resolution)), name_of(user.entity, user.site.path)
        row = (str(user.site.line), Cell(count(user.depth, "use"), "dim"), Cell(note, "dim"), plain(name))
        groups.setdefault(place_elsewhere(user.repository, user.site.path), []).append(row)
    if groups:
        click.echo()
        print_groups(groups.items())
    n_repositories = len({user.repository for user in users})
    echo_wrapped(f"{count(len(users), 'user')} in {count(n_repositories, 'other repository')}")


def _print_tree(asked: Impact, found: ImpactDocument, users: Sequence[ImpactUserDocument]) -> None:
    unseen = UNSEEN_ANYWHERE if asked.everywhere else UNSEEN
    if not users:
        why = _possible(found, "line") or unseen if found.in_time else _NO_TIME
        name, files = plain(found.entity.qualified_name), count(found.searched_files, "file")
        echo_wrapped(f"nothing uses `{name}`, as far as {files} show; {why}")
        _print_possible(found)
        return
    for line in use_lines([*_tree_rows(found, users)]):
        click.echo(line)
    click.echo()
    echo_wrapped(_summary(users))
    for sentence in filter(None, (_what_is_missing(asked, found, unseen), _possible(found, "other line"))):
        echo_wrapped(sentence)
    for resolution in {user.resolution for user in users}.intersection(LEGEND):
        click.echo(paint(LEGEND[resolution], "dim"))
    _print_possible(found)


def _print_possible(found: ImpactDocument) -> None:
    """Print who may use it by its name."""
    groups: dict[str, list[TableRow]] = {}
    for user in found.possible_users[:_MOST_POSSIBLE]:
        note, name = ", ".join(describe_use(user.edge, user.resolution)), name_of(user.entity, user.site.path)
        groups.setdefault(plain(user.site.path), []).append((str(user.site.line), Cell(note, "dim"), plain(name)))
    if groups:
        click.echo()
        print_groups(groups.items())


def _tree_rows(found: ImpactDocument, users: Sequence[ImpactUserDocument]) -> Iterator[UseRow]:
    """Yield the entity, and below each definition its users, tests last."""
    entity = found.entity
    yield UseRow(0, entity.qualified_name, f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}")
    below: dict[str, list[ImpactUserDocument]] = {}
    for user in sorted(users, key=lambda one: (one.is_test, one.site.path, one.site.line)):
        # What uses the entity or a member of it is below the entity.
        below.setdefault(entity.mark if user.depth == 1 else user.through, []).append(user)
    waiting = below.pop(entity.mark, [])[::-1]
    while waiting:
        user = waiting.pop()
        name, place = name_of(user.entity, user.site.path), f"{user.site.path}:{user.site.line}"
        yield UseRow(user.depth, name, place, ", ".join(_notes(found, user)))
        waiting += below.pop(user.entity.mark, [])[::-1] if user.entity is not None else []


def _notes(found: ImpactDocument, user: ImpactUserDocument) -> Iterator[str]:
    if user.is_test:
        yield "test"
    yield from describe_use(user.edge, user.resolution)
    if user.depth == 1 and user.through != found.entity.mark:
        yield f"of {user.through_name.removeprefix(f'{found.entity.qualified_name}.')}"


def _summary(users: Sequence[ImpactUserDocument]) -> str:
    n_tests = sum(user.is_test for user in users)
    tests = f", {n_tests:,} of them {'a test' if n_tests == 1 else 'tests'}" if n_tests else ""
    where = count(len({user.site.path for user in users}), "file")
    return f"{count(len(users), 'user')} in {where}{tests}; deepest {max(user.depth for user in users)}"


def _what_is_missing(asked: Impact, found: ImpactDocument, unseen: str) -> str:
    if found.complete:
        return "" if found.possible else f"these are all that are known: {unseen}"
    if not found.in_time:
        return _NO_TIME
    if found.truncated:
        return ""
    return f"what is further than {count(asked.depth, 'use')} away was not looked for; --depth goes further"


def _possible(found: ImpactDocument, noun: str) -> str:
    if not found.possible:
        return ""
    return f"{count(found.possible, noun)} may mean it by its name; `birthmark users` lists what does"


def _show_path(asked: UsePath, found: PathDocument, *, mermaid: bool) -> None:
    if not found.steps:
        echo_wrapped(_no_way(found))
    elif mermaid:
        click.echo(path_mermaid(found), nl=False)
    else:
        _print_path(found)


def _no_way(found: PathDocument) -> str:
    start, end = plain(found.start.qualified_name), plain(found.end.qualified_name)
    if not found.in_time:
        return f"no way from `{start}` to `{end}` found in time; --timeout allows more"
    back = f"; `{end}` uses `{start}`: ask the other way round" if found.way_back else f"; {UNSEEN}"
    return f"`{start}` does not use `{end}`, as far as is known{back}"


def _print_path(found: PathDocument) -> None:
    first = found.steps[0]
    start_line = first.user.start_line if first.user is not None else 1
    rows = [UseRow(0, name_of(first.user, first.site.path), f"{first.site.path}:{start_line}")]
    for depth, step in enumerate(found.steps, 1):
        note = ", ".join(describe_use(step.edge, step.resolution))
        rows.append(UseRow(depth, name_of(step.used, step.used_path), f"{step.site.path}:{step.site.line}", note))
    for line in use_lines(rows):
        click.echo(line)
    click.echo()
    echo_wrapped(f"{count(len(found.steps), 'use')} from `{plain(rows[0].name)}` to `{plain(rows[-1].name)}`")


impact = question_command(Impact, _show_impact, options=[_SVG, _MERMAID], defaults={"limit": MOST})
path = question_command(UsePath, _show_path, options=[_MERMAID])
