"""`context`: what a language model needs to work on a REF, within a budget of tokens."""

from __future__ import annotations

import click

from birthmark.app.answers.contexts import find_context
from birthmark.documents.answers import context_document
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.words import visible


@click.command()
@click.argument("ref")
@click.option(
    "--tokens",
    type=click.IntRange(min=1, max=10_000_000),
    default=4000,
    show_default=True,
    metavar="N",
    help="How many tokens it may have at most.",
)
@click.option("--since", metavar="REV", help="Only what changed since this revision.")
@json_option
def context(ref: str, tokens: int, since: str | None, as_json: bool) -> None:
    """Print what a language model needs to work on REF as Markdown, within a budget of tokens.

    In the order of priority: its source; the notes on it; what it is in; the signatures of what it uses; the lines
    that use it; tests that reach it; what its code came from; the signatures of its siblings; the sources of what it
    uses. Each piece has its mark, its place and why it is there. Tokens are estimated; the estimate never exceeds the
    budget.

    \b
    Examples:
      birthmark context Flask.url_for
      birthmark context Flask.url_for --tokens 2000
      birthmark context src/app.py:120 --since main --json
    """
    with asking() as session:
        found = find_context(session, ref, tokens, since)
        if as_json:
            print_json(context_document(found, session.freshness))
            return
        warn_if_stale(session.freshness)
    with paging():
        click.echo("\n".join(map(visible, found.context.text.split("\n"))), nl=False)
