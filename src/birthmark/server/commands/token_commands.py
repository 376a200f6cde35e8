"""`token`: who else may ask a server, and what."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.app.workspace.workspace import find_workspace
from birthmark.server.serving.person_tokens import PersonToken, add_token, list_tokens, remove_token
from birthmark.server.serving.token_documents import token_document
from birthmark.surfaces.cli.terminal.output import list_options, print_documents, say
from birthmark.surfaces.cli.terminal.tables import print_table


@click.group()
def token() -> None:
    """Give persons tokens of their own for `serve` and `mcp --http`, list them, and take them back.

    A token is shown once, when it is made; what is stored is its SHA-256. A server takes note of a new token, and of
    one that was removed, within 5 seconds. In a database of many repositories, tokens are for all of them.

    \b
    Examples:
      birthmark token add anna
      birthmark token add ci --write --repository github.com/acme/shop --expires 90d
      birthmark token list
      birthmark token remove anna
    """


@token.command()
@click.argument("name")
@click.option("--write", "writes", is_flag=True, help="Also for requests that change something.")
@click.option(
    "--repository",
    "repositories",
    multiple=True,
    metavar="NAME",
    help="For this repository alone; may be given several times.",
)
@click.option("--expires", metavar="WHEN", help="Until then: 12h, 90d, 2w, a date or a time.")
def add(name: str, writes: bool, repositories: tuple[str, ...], expires: str | None) -> None:
    """Make a token for NAME, and print it.

    \b
    Examples:
      birthmark token add anna --expires 2027-01-01
      birthmark token add ci --write --repository github.com/acme/shop
    """
    workspace = find_workspace(Path.cwd())
    click.echo(add_token(workspace, name, writes=writes, repositories=repositories, expires=expires))
    say(f"give it to {name} now: it is not shown again")


@token.command("list")
@list_options
def list_(form: str | None) -> None:
    """List the tokens: whose, what for, and until when."""
    found = list_tokens(find_workspace(Path.cwd()))
    if form is not None:
        print_documents(form, map(token_document, found))
        return
    print_table([_row(one) for one in found])
    if not found:
        say("nobody has a token; `birthmark token add NAME` makes one")


def _row(one: PersonToken) -> tuple[str, ...]:
    until = f"until {one.expires}" if one.expires else ""
    return one.name, "read and write" if one.writes else "read", ", ".join(one.repositories) or "all", until


@token.command()
@click.argument("name")
def remove(name: str) -> None:
    """Take the token of NAME back."""
    remove_token(find_workspace(Path.cwd()), name)
    say(f"the token of {name} is removed; servers refuse it within 5 seconds")
