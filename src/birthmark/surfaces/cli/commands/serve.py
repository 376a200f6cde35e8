"""`serve`: web pages and JSON over HTTP."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.interrupts import ending_at_once, stopping_cleanly
from birthmark.surfaces.cli.shared_options import listen_options
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.server_part import fleet_serving

if TYPE_CHECKING:
    from birthmark.app.serving.coordinator import Coordinator

_PORT = 7433
_FILE = click.Path(dir_okay=False, path_type=Path, allow_dash=True)


@click.command()
@listen_options(_PORT, time_limit=30.0)
@click.option("--open", "opens", is_flag=True, help="Open the pages in a browser.")
@click.option(
    "--max-age",
    type=click.FloatRange(min=0.0),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Look at the worktree again when the last look is older; 0: for every request.",
)
@click.option("--watch", "watches", is_flag=True, help="Keep the index current as files change.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of server processes, behind one port.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0.1),
    metavar="N",
    help="Maximum requests per second and user; the rest is refused.",
)
@click.option("--log", type=_FILE, metavar="FILE", help="Append a line of JSON for each request; - is standard error.")
@click.option(
    "--audit",
    type=_FILE,
    metavar="FILE",
    help="Append a line of JSON for each writing request.  [default: .birthmark/audit.jsonl]",
)
@click.option("--all", "serves_all", is_flag=True, help="Serve all repositories of the fleet; needs --store.")
@click.option(
    "--mirrors",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --all: the folder of the fleet's mirrors.  [default: as `fleet` has them]",
)
@click.option("--allow-notes", is_flag=True, help="Let agents write notes, not only read them.")
@click.option("--metrics", "has_metrics", is_flag=True, help="Answer /metrics in the form of Prometheus.")
@click.option("--traces", "has_traces", is_flag=True, help="Send traces, as OTEL_… variables say.")
def serve(
    host: str,
    port: int,
    allowed: tuple[str, ...],
    time_limit: float,
    opens: bool,
    max_age: float,
    watches: bool,
    processes: int,
    rate: float | None,
    log: Path | None,
    audit: Path | None,
    serves_all: bool,
    mirrors: Path | None,
    allow_notes: bool,
    has_metrics: bool,
    has_traces: bool,
) -> None:
    """Serve web pages and JSON over HTTP, until Ctrl-C.

    The link that is printed opens the pages: the repository as a map, definitions with their lives, changes, the
    graph and subscriptions. It signs in one browser, within 10 minutes; any other one can paste the token.

    It listens on localhost, and every request for JSON must send the token in .birthmark/http-token, which is
    created at the first start and never printed, or one that `birthmark token` made for a user. A token file that
    others may read, or a port that is taken, ends the command with exit 2; Ctrl-C and SIGTERM end it with exit 0.

    Agents connect to /mcp, over MCP and with the same tokens; that needs birthmark[mcp].

    With --all it serves every repository of the fleet, each below /repositories/NAME, with a list of them at the
    front. A user whose token is restricted sees only those repositories.

    \b
    Examples:
      birthmark serve --open
      birthmark serve --all --processes 4
      birthmark serve --port 8080
      curl -H "Authorization: Bearer $(cat .birthmark/http-token)" http://127.0.0.1:7433/v1/status
    """
    with ending_at_once():
        from birthmark.app.serving.coordinator import Coordinator
        from birthmark.surfaces.http.access.token import TOKEN_FILE, load_token
        from birthmark.surfaces.http.observation import Monitoring, check_monitoring
        from birthmark.surfaces.http.serving import (
            OPEN_TO_OTHERS,
            address_of,
            check_names,
            is_local,
            known_hosts,
            listen,
        )
        from birthmark.surfaces.web.links import SIGN_IN
        from birthmark.surfaces.web.serving import SiteOptions, run_site
        from birthmark.surfaces.web.sign_in import BrowserSecrets

    check_names(allowed)
    workspace = find_workspace(Path.cwd())
    url = _check_fleet(watches) if serves_all else ""
    if watches:
        workspace.require_worktree("questions bring its index up to date, so serve it without --watch")
    token = load_token(workspace.home)
    # Processes that answer work in another folder.
    log, audit = _absolute(log), _absolute(audit or workspace.home / "audit.jsonl")
    monitoring = Monitoring(audit, log, has_metrics, has_traces, rate)
    check_monitoring(monitoring)
    with stopping_cleanly(), listen(host, port) as listener:
        address = address_of(listener)
        secrets = BrowserSecrets.of(token, listener.getsockname()[1])
        link = f"{address}{SIGN_IN}?code={secrets.link.code}"
        say(f"JSON at {address}/v1 for {'the fleet' if serves_all else workspace.root}; stop with Ctrl-C")
        say(f"the token is in {workspace.home / TOKEN_FILE}")
        say(f"open {link}")
        if not is_local(listener):
            say(OPEN_TO_OTHERS)
        hosts = known_hosts(listener, host, allowed)
        if opens:
            webbrowser.open(link)  # The listener accepts already; the answer comes when the server runs.
        options = SiteOptions(workspace.root, hosts, secrets, time_limit, monitoring, allow_notes)
        if serves_all:
            fleet_serving().run_many(options, listener, url, mirrors, processes)
            return
        with closing(Coordinator(workspace.root, max_age)) as coordinator, _watching(workspace, coordinator, watches):
            run_site(options, listener, coordinator, processes)


def _absolute(path: Path | None) -> Path | None:
    return path if path is None or str(path) == "-" else path.absolute()


def _check_fleet(watches: bool) -> str:
    """The store of the fleet, in which repositories have names of their own."""
    from birthmark.app.workspace.workspace import REPOSITORY

    if watches or os.environ.get(REPOSITORY):
        raise BirthmarkError("--all serves mirrors by their own names; leave --watch and --repository out")
    return fleet_serving().fleet_url()


@contextmanager
def _watching(workspace: Workspace, coordinator: Coordinator, watches: bool) -> Iterator[None]:
    from birthmark.app.indexing.watch import Trouble, WatchEvent, WatchingProcess

    def tell(event: WatchEvent) -> None:
        if isinstance(event, Trouble):
            say(event.problem)
        coordinator.report_update()

    if not watches:
        yield
        return
    with closing(WatchingProcess(workspace, tell)):
        yield
