"""`lsp`: a language server for editors."""

from __future__ import annotations

import os
import sys

import click

from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.interrupts import ending_at_once


@click.command()
def lsp() -> None:
    """Serve an editor over the Language Server Protocol, on standard input and output.

    An editor starts it by itself. It shows over each definition when it came to be, how often it changed, who uses and
    who watches it; on hover what happened to it last, with the notes on it; and it finds definitions, uses and former
    places. Triggered subscriptions and stale notes are diagnostics. It needs `pip install 'birthmark[lsp]'`.

    \b
    Examples:
      birthmark lsp
      hx src/app.py    with the language server in languages.toml
    """
    try:
        with ending_at_once():
            from birthmark.surfaces.lsp.features import make_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise BirthmarkError("lsp needs pygls; `pip install 'birthmark[lsp]'` installs it") from error
    # What is written by others goes to standard error, and processes that are started do not get the editor's pipes.
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    server = make_server()
    try:
        server.start_io(stdin, stdout)
    finally:
        server.close()
    sys.exit(0 if server.is_shut_down else 1)  # as the protocol has it
