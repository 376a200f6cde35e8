"""`trust`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from birthmark.app.workspace.trusting import TrustReview, change_trust, review_trust
from birthmark.documents.index import TrustDocument
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.words import visible


@click.command()
@click.option("--yes", is_flag=True, help="Trust the file without asking.")
@click.option("--remove", is_flag=True, help="No longer trust the file.")
@json_option
def trust(yes: bool, remove: bool, as_json: bool) -> None:
    """Review what birthmark.toml asks for, and trust it.

    A repository may not set webhooks, mailboxes, limits above yours or what agents may write: such settings are
    ignored until you trust the file. What is trusted is the file as it is now; once it changes, it must be trusted
    again. In CI, pass the digest of the file with --trust, or in the variable BIRTHMARK_TRUST.

    \b
    Examples:
      birthmark trust
      birthmark trust --yes
      birthmark trust --remove
      birthmark scan --notify chat --trust 5f3c…
    """
    folder = Path.cwd()
    found = review_trust(folder)
    if not as_json:
        _print_requests(found)
    is_asked = bool(found.requests) and not found.is_trusted
    if remove:
        found = change_trust(folder, is_trusted=False, digest=found.digest)
    elif yes or (is_asked and _confirm(as_json)):
        found = change_trust(folder, is_trusted=True, digest=found.digest)
    if as_json:
        print_json(TrustDocument(str(found.path), found.digest, found.is_trusted, found.requests))
    else:
        say(_describe(found))


def _print_requests(found: TrustReview) -> None:
    if found.requests:
        click.echo(f"{visible(str(found.path))} asks for:")
        print_table([(name, visible(value)) for name, value in found.requests.items()], "  ")
        click.echo(f"digest: {found.digest}")


def _confirm(as_json: bool) -> bool:
    if as_json:
        return False
    if not sys.stdin.isatty():
        raise BirthmarkError("the file is not trusted yet; review it, then run `birthmark trust --yes`")
    return click.confirm("Trust this file as it is now?")


def _describe(found: TrustReview) -> str:
    if not found.requests:
        return "the file asks for nothing that needs trust"
    return "the file is trusted" if found.is_trusted else "the file is not trusted; these settings are ignored"
