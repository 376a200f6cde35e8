"""`impact` and `path`: what may break when a REF is changed, and how one thing comes to use another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from birthmark.app.across import place_elsewhere
from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.uses.graph_nodes import hold_entities
from birthmark.app.answers.uses.impact import DEEPEST, MOST, ImpactAnswer, ImpactElsewhere, ImpactQuery, find_impacted
from birthmark.app.answers.uses.use_paths import PathAnswer, find_path
from birthmark.documents.uses import impact_document, path_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.everywhere_option import everywhere_option, say_problems
from birthmark.surfaces.cli.graph_options import limit_option, tests_option, timeout_option
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.edge_words import LEGEND, UNSEEN, UNSEEN_ANYWHERE, describe_use
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.surfaces.cli.terminal.use_tree import UseRow, impact_tree, use_lines
from birthmark.surfaces.formats.pictures.impact_tree import draw_impact
from birthmark.surfaces.formats.pictures.mermaid import impact_mermaid, path_mermaid
from birthmark.surfaces.formats.pictures.svg import standalone
from birthmark.surfaces.text import paint
from birthmark.words import count

_mermaid_option = click.option("--mermaid", is_flag=True, help="Print a Mermaid diagram, as Markdown pages show it.")

_NO_TIME = "the time was over before all was looked at; --timeout allows more"


@click.command()
@click.argument("ref")
@click.option(
    "--depth",
    type=click.IntRange(1, 1000),
    default=DEEPEST,
    show_default=True,
    metavar="N",
    help="Go at most so many uses far.",
)
@limit_option(MOST, "users, the nearest ones")
@tests_option
@timeout_option
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw it into a file.")
@_mermaid_option
@everywhere_option
@json_option
def impact(
    ref: str,
    depth: int,
    limit: int,
    no_tests: bool,
    seconds: float,
    svg: Path | None,
    mermaid: bool,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Show what may break when REF is changed: its users, their users and so on, as a tree.

    Each is below what it uses, by the shortest way, with the line on which it does so. The users of a class are those
    of its members as well. What imports or overrides REF itself is listed, but not what uses that.

    \b
    Examples:
      birthmark impact Flask.url_for
      birthmark impact src/app.py:120 --depth 2 --no-tests
      birthmark impact Flask.url_for --svg impact.svg
      birthmark impact Flask.url_for --everywhere --store postgresql://host/birthmark
    """
    query = ImpactQuery(depth, limit, not no_tests, seconds)
    with asking() as session:
        others = session.others(everywhere)
        answer = others.add_impact(find_impacted(session, ref, query), query)
        say_problems(others.problems)
        n_files = count_files(session)
        if as_json:
            entities = hold_entities(session, (user.node for user in answer.users))
            print_json(impact_document(answer, entities, session.freshness, others.problems))
            return
        warn_if_stale(session.freshness)
    if mermaid:
        click.echo(impact_mermaid(answer), nl=False)
    if svg is not None:
        svg.write_text(standalone(draw_impact(answer)), encoding="utf-8")
        say(f"wrote {plain(str(svg))}: {count(len(answer.users), 'user')}")
    if not mermaid and svg is None:
        _print_impact(answer, n_files, query, UNSEEN_ANYWHERE if everywhere else UNSEEN)
    if everywhere and not mermaid and svg is None:
        _print_elsewhere(answer.others)


def _print_elsewhere(others: Sequence[ImpactElsewhere]) -> None:
    """The users in other repositories by file, with how many uses away each is."""
    groups: dict[str, list[TableRow]] = {}
    for other in others:
        for user in other.users:
            note = ", ".join(describe_use(user.step.edge, user.step.resolution))
            row = (str(user.step.line), Cell(count(user.depth, "use"), "dim"), Cell(note, "dim"), plain(user.node.name))
            groups.setdefault(place_elsewhere(other.repository, user.step.path), []).append(row)
    if groups:
        click.echo()
        print_groups(groups.items())
    n_users = count(sum(len(other.users) for other in others), "user")
    echo_wrapped(f"{n_users} in {count(len(others), 'other repository')}")


def _print_impact(answer: ImpactAnswer, n_files: int, query: ImpactQuery, unseen: str) -> None:
    if not answer.users:
        name = plain(answer.indexed.entity.qualified_name)
        why = _possible(answer) or unseen if answer.is_in_time else _NO_TIME
        echo_wrapped(f"nothing uses `{name}`, as far as {count(n_files, 'file')} show; {why}")
        return
    with paging():
        for line in use_lines([*impact_tree(answer)]):
            click.echo(line)
        click.echo()
        echo_wrapped(_summary(answer))
        for sentence in filter(None, (_what_is_missing(answer, query, unseen), _possible(answer))):
            echo_wrapped(sentence)
        _print_legend(answer)


def _summary(answer: ImpactAnswer) -> str:
    users = answer.users
    n_tests = sum(user.node.is_test for user in users)
    tests = f", {n_tests:,} of them {'a test' if n_tests == 1 else 'tests'}" if n_tests else ""
    where = count(len({user.step.path for user in users}), "file")
    return f"{count(len(users), 'user')} in {where}{tests}; deepest {max(user.depth for user in users)}"


def _what_is_missing(answer: ImpactAnswer, query: ImpactQuery, unseen: str) -> str:
    if answer.is_complete:
        return "" if answer.n_possible else f"these are all that are known: {unseen}"
    if not answer.is_in_time:
        return _NO_TIME
    if len(answer.users) >= query.most:
        return "there may be more; --limit lists more"
    return f"what is further than {count(query.deepest, 'use')} away was not looked for; --depth goes further"


def _possible(answer: ImpactAnswer) -> str:
    lines = count(answer.n_possible, "other line" if answer.users else "line")
    return f"{lines} may mean it by its name; `birthmark users` lists what does" if answer.n_possible else ""


def _print_legend(answer: ImpactAnswer) -> None:
    for resolution in {user.step.resolution for user in answer.users}.intersection(LEGEND):
        click.echo(paint(LEGEND[resolution], "dim"))


@click.command()
@click.argument("start", metavar="REF")
@click.argument("end", metavar="REF")
@timeout_option
@_mermaid_option
@json_option
def path(start: str, end: str, seconds: float, mermaid: bool, as_json: bool) -> None:
    """Show how the first REF comes to use the second: a shortest way along uses, with the line of each.

    \b
    Examples:
      birthmark path create_app Flask.url_for
      birthmark path src/app.py:120 Cart.total --mermaid
    """
    with asking() as session:
        answer = find_path(session, start, end, seconds)
        if as_json:
            entities = hold_entities(session, (node for step in answer.steps for node in (step.user, step.used)))
            print_json(path_document(answer, entities, session.freshness))
            return
        warn_if_stale(session.freshness)
    if not answer.steps:
        echo_wrapped(_no_way(answer))
    elif mermaid:
        click.echo(path_mermaid(answer), nl=False)
    else:
        _print_path(answer)


def _no_way(answer: PathAnswer) -> str:
    start, end = plain(answer.start.entity.qualified_name), plain(answer.end.entity.qualified_name)
    if not answer.is_in_time:
        return f"no way from `{start}` to `{end}` found in time; --timeout allows more"
    back = f"; `{end}` uses `{start}`: ask the other way round" if answer.has_way_back else f"; {UNSEEN}"
    return f"`{start}` does not use `{end}`, as far as is known{back}"


def _print_path(answer: PathAnswer) -> None:
    first = answer.steps[0].user
    rows = [UseRow(0, first.name, f"{first.path}:{first.start_line}", "")]
    for depth, (_, used, step) in enumerate(answer.steps, 1):
        note = ", ".join(describe_use(step.edge, step.resolution))
        rows.append(UseRow(depth, used.name, f"{step.path}:{step.line}", note))
    with paging():
        for line in use_lines(rows):
            click.echo(line)
        click.echo()
        echo_wrapped(f"{count(len(answer.steps), 'use')} from `{plain(first.name)}` to `{plain(rows[-1].name)}`")
