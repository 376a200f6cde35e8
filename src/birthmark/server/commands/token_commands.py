"""`token`: create, list and revoke user tokens."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import click
import msgspec

from birthmark.app.serving.user_tokens import OWNER, UserToken, digest_of, list_tokens, read_tokens
from birthmark.app.workspace.stores import common_documents
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.document import Document, doc
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.store.model import DocumentTable
from birthmark.subscriptions.accept import read_until
from birthmark.subscriptions.model import timestamp
from birthmark.surfaces.cli.terminal.output import list_options, print_documents, say
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.words import did_you_mean

_PREFIX = "birthmark_"  # by which secrets are recognized that were published by mistake
_N_BYTES = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}")


class TokenDocument(Document, frozen=True):
    """A user token and its scope."""

    name: str
    write: Annotated[bool, doc("whether requests may change something")]
    repositories: Annotated[list[str], doc("those that it is for; empty: all")]
    created_at: str
    expires: Annotated[str | None, doc("when it stops to be good; null: never")]


def token_document(token: UserToken) -> TokenDocument:
    return TokenDocument(token.name, token.writes, list(token.repositories), token.created_at, token.expires)


@click.group()
def token() -> None:
    """Create, list and revoke user tokens for `serve` and `mcp --http`.

    A token is shown once, when it is created; only its SHA-256 is stored. Servers accept a new token, and refuse a
    removed one, within 5 seconds. In a database of many repositories, tokens apply to all of them.

    \b
    Examples:
      birthmark token add anna
      birthmark token add ci --write --repository github.com/acme/shop --expires 90d
      birthmark token list
      birthmark token remove anna
    """


@token.command()
@click.argument("name")
@click.option("--write", "writes", is_flag=True, help="Allow requests that change something.")
@click.option(
    "--repository",
    "repositories",
    multiple=True,
    metavar="NAME",
    help="Restrict the token to this repository; may be given several times.",
)
@click.option("--expires", metavar="WHEN", help="Expiry: 12h, 90d, 2w, a date or a time.")
def add(name: str, writes: bool, repositories: tuple[str, ...], expires: str | None) -> None:
    """Create a token for NAME, and print it.

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
    """List tokens with their users, rights and expiry."""
    found = list_tokens(find_workspace(Path.cwd()))
    if form is not None:
        print_documents(form, map(token_document, found))
        return
    print_table([_row(one) for one in found])
    if not found:
        say("nobody has a token; `birthmark token add NAME` makes one")


def _row(one: UserToken) -> tuple[str, ...]:
    until = f"until {one.expires}" if one.expires else ""
    return one.name, "read and write" if one.writes else "read", ", ".join(one.repositories) or "all", until


@token.command()
@click.argument("name")
def remove(name: str) -> None:
    """Revoke the token of NAME."""
    remove_token(find_workspace(Path.cwd()), name)
    say(f"the token of {name} is removed; servers refuse it within 5 seconds")


# In the store


def add_token(
    workspace: Workspace, name: str, *, writes: bool, repositories: Iterable[str] = (), expires: str | None = None
) -> str:
    """Create a token and return it; only its hash is stored."""
    if not _NAME.fullmatch(name) or name == OWNER:
        raise BirthmarkError(f"{name!r}: is not a valid user name; use up to 64 of A-Z a-z 0-9 . _ @ + -")
    until = read_until(expires) if expires is not None else None
    if until is not None and until <= timestamp():
        raise BirthmarkError(f"{expires}: is past; name a time to come, such as 90d")
    secret = _PREFIX + secrets.token_urlsafe(_N_BYTES)
    token = UserToken(name, digest_of(secret.encode()), timestamp(), writes, tuple(sorted(set(repositories))), until)
    with common_documents(workspace) as store, store.writing():
        if any(one.name == name for one in read_tokens(store)):
            raise BirthmarkError(f"{name}: has a token; run `birthmark token remove {name}` first")
        store.put_documents(DocumentTable.TOKENS, {name: msgspec.json.encode(token)})
    return secret


def remove_token(workspace: Workspace, name: str) -> UserToken:
    with common_documents(workspace) as store, store.writing():
        known = {token.name: token for token in read_tokens(store)}
        if name not in known:
            raise NotFoundError(f"{name}: has no token{did_you_mean(name, known)}")
        store.delete_documents(DocumentTable.TOKENS, [name])
    return known[name]
