"""`review`: a change as a reviewer wants it."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.app.changes.review import Review
from birthmark.app.changes.review import review as make_review
from birthmark.documents.document import encode_json
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.reviews import review_document
from birthmark.surfaces.cli.commands.scan import write_file
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.output import paging, say, warn_if_stale
from birthmark.surfaces.cli.terminal.review_output import print_review
from birthmark.surfaces.formats.review_markdown import write_review, write_review_comment

FORMATS = ("terminal", "json", "markdown", "comment")


@click.command()
@click.argument("words", nargs=-1, metavar="[RANGE | BASE [TARGET]]")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Entries of each list at most.")
@click.option(
    "--affected/--no-affected",
    "with_affected",
    default=True,
    show_default=True,
    help="Whether all tests are looked for that may be affected.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="terminal", show_default=True)
@click.option("--markdown", "form", flag_value="markdown", help="The same as --format markdown.")
@click.option("--json", "form", flag_value="json", help="Print one JSON document, with all entries.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write it to a file.")
def review(words: tuple[str, ...], limit: int, with_affected: bool, form: str, output: Path | None) -> None:
    """Show a change as a reviewer wants it: what is risky first, what merely moved in one line, who is affected.

    Without a RANGE, what the branch and the worktree have of their own: since the merge base with the default branch,
    or since HEAD where all commits are in it.

    \b
    Examples:
      birthmark review                            this branch, with what is not committed
      birthmark review HEAD~3                     since a revision, up to the worktree
      birthmark review main...feature --markdown  what a branch did
      birthmark review v1.0..v1.1 --json
    """
    with asking() as session:
        found = make_review(session, words, with_affected=with_affected)
        freshness = session.freshness
    warn_if_stale(freshness)
    for problem in found.problems:
        say(f"{problem.path}: {problem.problem}")
    if form == "terminal" and output is None:
        with paging():
            print_review(found, limit)
        return
    text = _written(found, "markdown" if form == "terminal" else form, limit, freshness_document(freshness))
    if output is not None:
        write_file(output, text)
    else:
        click.echo(text, nl=False)


def _written(found: Review, form: str, limit: int, freshness: FreshnessDocument) -> str:
    if form == "json":
        return encode_json(review_document(found, freshness)).decode() + "\n"
    return (write_review_comment if form == "comment" else write_review)(found, limit)
