"""`diff`: what became of entities between two states."""

from __future__ import annotations

import click

from birthmark.app.changes.diff_arguments import read_arguments, read_filter
from birthmark.app.changes.diffing import diff_states, list_diff
from birthmark.comparison.diff_listing import ListingOptions
from birthmark.documents.changes import diff_document
from birthmark.surfaces.cli.refresh_option import open_repository
from birthmark.surfaces.cli.terminal.diff_output import print_listing, print_stat, summary_of
from birthmark.surfaces.cli.terminal.output import json_option, paging, print_json, say
from birthmark.vocabulary import Change


class PathsBehindDashes(click.Command):
    """A command that takes all arguments after `--` as paths, as git does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words, behind = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        return super().parse_args(ctx, [*words, *(f"--path={path}" for path in behind)])


@click.command(cls=PathsBehindDashes, options_metavar="[OPTIONS]")
@click.argument("words", nargs=-1, metavar="[BASE [TARGET] | A..B | A...B] [-- PATH…]")
@click.option("--since", metavar="REV", help="The same as BASE: a revision, or a date like '2 weeks ago'.")
@click.option("-p", "--patch", "with_patches", is_flag=True, help="Show the lines that differ in each entity.")
@click.option("--stat", is_flag=True, help="Count changes and lines of each file, and list no entities.")
@click.option(
    "--path", "paths", multiple=True, metavar="PATH", help="Only this file, folder or pattern; !PATH excludes it."
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only entities of this kind: fn, class, …")
@click.option("--language", "languages", multiple=True, metavar="NAME", help="Only entities in this language.")
@click.option("--change", "changes", multiple=True, metavar="CHANGE", help="Only this change: added, deleted, …")
@click.option("--moved", "with_moved", is_flag=True, help="Also list definitions that only moved.")
@click.option("--members", "with_members", is_flag=True, help="Also list members that the line of a class includes.")
@click.option("--index", "with_index", is_flag=True, help="Compare the index with the worktree.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything differs.")
@json_option
@click.pass_context
def diff(
    ctx: click.Context,
    words: tuple[str, ...],
    since: str | None,
    with_patches: bool,
    stat: bool,
    paths: tuple[str, ...],
    kinds: tuple[str, ...],
    languages: tuple[str, ...],
    changes: tuple[str, ...],
    with_moved: bool,
    with_members: bool,
    with_index: bool,
    exit_code: bool,
    as_json: bool,
) -> None:
    """Compare entity by entity: added, deleted, modified, moved, renamed, relocated.

    Without arguments, compare HEAD with the worktree; with BASE alone, that revision with the worktree. A..B compares
    two revisions, A...B compares B with the merge base of both. A revision is anything that git takes for one, or a
    date: it means the last commit before it.

    Changes are listed by file, sources first, tests and generated files last. A class that was added or deleted is
    one line, with all its members; a class is listed as modified only if its own code changed, apart from its
    members. What merely moved is counted, not listed. JSON has all of them.

    \b
    Examples:
      birthmark diff                            what you have not committed
      birthmark diff HEAD~3 -p                  with the lines that differ
      birthmark diff main...feature --stat      what a branch did, file by file
      birthmark diff --since '2 weeks ago' src  since a date, in a folder
      birthmark diff v1.0..v2.0 --kind fn,method --change deleted,renamed
      birthmark diff v1.0 v2.0 --path '!tests' --json
    """
    with open_repository() as repository:
        asked = read_arguments(repository, (since, *words) if since else words, paths or None, with_index=with_index)
        chosen = read_filter(asked.paths, kinds, languages, changes)
        if as_json:
            found = diff_states(repository, asked.base, asked.target, chosen, with_patches=with_patches)
            document = diff_document(*found)
            print_json(document)
            differs = bool(document.changes)
        else:
            options = ListingOptions(with_moved, with_members, with_patches, stat)
            base, target, files, counts = list_diff(repository, asked.base, asked.target, chosen, options)
            for problem in repository.problems:
                say(f"{problem.path}: {problem.problem}")
            with paging():
                (print_stat if stat else print_listing)(files)
                click.echo(("\n" if files else "") + summary_of(base, target, files, counts))
            differs = any(number for change, number in counts.items() if change != Change.UNCHANGED)
    if exit_code and differs:
        ctx.exit(1)
