"""`mcp` and `lsp`: servers that agents and editors start."""

from __future__ import annotations

import atexit
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from birthmark.app.workspace.freshness import WAIT_SECONDS
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.interrupts import ending_at_once, stopping_cleanly
from birthmark.surfaces.cli.shared_options import listen_options
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.mcp.installing import CLIENTS, InstallPlace

if TYPE_CHECKING:
    from birthmark.surfaces.mcp.server import AgentServer


_PORT = 7434
_MAX_AGE = 0.0  # seconds for which what was found in the worktree is used: an agent asks about what it has just edited


@click.command()
@click.option("--http", "over_http", is_flag=True, help="Serve over HTTP, not over standard input and output.")
@listen_options(_PORT, time_limit=60.0)
@click.option("--allow-notes", is_flag=True, help="Let agents write notes, not only read them.")
@click.option(
    "--install",
    "client",
    type=click.Choice(list(CLIENTS)),
    metavar="CLIENT",
    help=f"Add the server to the configuration of a client: {', '.join(CLIENTS)}.",
)
@click.option("--yes", "is_sure", is_flag=True, help="Write the configuration without asking.")
def mcp(
    over_http: bool,
    host: str,
    port: int,
    allowed: tuple[str, ...],
    time_limit: float,
    allow_notes: bool,
    client: str | None,
    is_sure: bool,
) -> None:
    """Run an MCP server for agents.

    A client starts this command itself and talks to it over standard input and output. --install shows the entry for
    the client's configuration, and writes it after a confirmation. A configuration file that cannot be parsed is not
    changed, with exit 2.

    Nine tools search, show, resolve, give histories, compare, ask the graph, collect context, and list subscriptions
    and notes. Each answer keeps to a number of tokens, says how fresh the index is, and names things by their marks.
    Over HTTP requests must send the token in .birthmark/http-token, as for `serve`. It needs birthmark[mcp].

    \b
    Examples:
      birthmark mcp --install claude-code
      birthmark mcp
      birthmark mcp --http --port 7500
      birthmark mcp --allow-notes
    """
    workspace = find_workspace(Path.cwd())
    if client is not None:
        _install(client, workspace, ("--allow-notes",) if allow_notes else (), is_sure)
        return
    with ending_at_once():
        _require_sdk()
        from birthmark.app.serving.coordinator import Coordinator, connect
        from birthmark.surfaces.http.serving import check_names
        from birthmark.surfaces.mcp.server import AgentServer
        from birthmark.surfaces.workers import Workers

    check_names(allowed)
    with (
        stopping_cleanly(),
        closing(Coordinator(workspace.root, _MAX_AGE, wait=WAIT_SECONDS)) as coordinator,
        closing(connect(coordinator.duties())) as repositories,
    ):
        is_allowed = allow_notes or _may_write_notes(workspace)
        server = AgentServer(repositories, Workers(time_limit), allow_notes=is_allowed)
        if over_http:
            _serve_http(server, workspace, host, port, allowed)
        else:
            server.run_stdio()
        return
    if not over_http:
        atexit._run_exitfuncs()
        os._exit(0)  # A thread of the SDK waits until the client writes a line.


def _require_sdk() -> None:
    try:
        import mcp.server  # noqa: F401 - whether it is installed
    except ImportError as error:
        raise BirthmarkError("mcp needs the SDK of the protocol; `pip install 'birthmark[mcp]'` installs it") from error


def _may_write_notes(workspace: Workspace) -> bool:
    from birthmark.app.workspace.repository import open_repository

    with open_repository(workspace.root) as repository:
        return repository.settings.mcp.allow_notes


def _serve_http(server: AgentServer, workspace: Workspace, host: str, port: int, allowed: tuple[str, ...]) -> None:
    from birthmark.surfaces.http.access.guards import AGENTS
    from birthmark.surfaces.http.access.token import TOKEN_FILE, load_token
    from birthmark.surfaces.http.serving import OPEN_TO_OTHERS, address_of, is_local, known_hosts, listen, run_app

    token = load_token(workspace.home)
    with listen(host, port) as listener:
        say(f"agents at {address_of(listener)}{AGENTS} for {workspace.root}; stop with Ctrl-C")
        say(f"the token is in {workspace.home / TOKEN_FILE}")
        if not is_local(listener):
            say(OPEN_TO_OTHERS)
        app = server.http_app(token, known_hosts(listener, host, allowed))
        run_app(app, listener)


def _install(name: str, workspace: Workspace, options: tuple[str, ...], is_sure: bool) -> None:
    from birthmark.surfaces.mcp.installing import plan_install

    client, place = CLIENTS[name], InstallPlace.here(workspace.root)
    plan = plan_install(client, place, options)
    if plan.is_done:
        say(f"{plan.path} has this already")
        return
    click.echo(f"{plan.path}\n\n{plan.entered}")
    if is_sure or click.confirm(f"Enter this for {client.title}?", err=True):
        plan.write()
        say(f"written; restart {client.title} to use it")


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
