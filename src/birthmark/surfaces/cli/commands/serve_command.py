"""`serve`: web pages and JSON over HTTP."""

from __future__ import annotations

import errno
import ipaddress
import re
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.stopping import stopping_cleanly
from birthmark.surfaces.cli.terminal.output import say

if TYPE_CHECKING:
    from birthmark.app.serving.coordinator import Coordinator

_PORT = 7433
_FILE = click.Path(dir_okay=False, path_type=Path, allow_dash=True)
_BACKLOG = 128
_NAME = re.compile(r"([A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=_PORT,
    show_default=True,
    metavar="N",
    help="Port to listen on; 0 for any free one.",
)
@click.option(
    "--allow-host",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Also accept requests for this host name, as a proxy sends it.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0.1),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Abort queries that take longer.",
)
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
    help="Answer in so many processes, behind one port.",
)
@click.option(
    "--rate",
    type=click.FloatRange(min=0.1),
    metavar="N",
    help="Answer N requests a second of each person; the rest is refused.",
)
@click.option("--log", type=_FILE, metavar="FILE", help="Append a line of JSON for each request; - is standard error.")
@click.option(
    "--audit",
    type=_FILE,
    metavar="FILE",
    help="Where lines about writing requests are appended.  [default: .birthmark/audit.jsonl]",
)
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
    has_metrics: bool,
    has_traces: bool,
) -> None:
    """Serve web pages and JSON over HTTP, until Ctrl-C.

    The link that is printed opens the pages: the repository as a map, definitions with their lives, changes, the
    graph and subscriptions. It is good until the server stops, and signs a browser in.

    It listens on this machine alone, and every request for JSON must send the token in .birthmark/http-token, which is
    created at the first start and never printed. A token that others may read, or a port that is taken, ends the
    command with exit 2; Ctrl-C and SIGTERM end it with exit 0.

    \b
    Examples:
      birthmark serve --open
      birthmark serve --port 8080
      curl -H "Authorization: Bearer $(cat .birthmark/http-token)" http://127.0.0.1:7433/v1/status
    """
    from birthmark.app.serving.coordinator import Coordinator
    from birthmark.surfaces.http.guards import LOOPBACK, Hosts
    from birthmark.surfaces.http.observation import Monitoring, check_monitoring
    from birthmark.surfaces.http.token import TOKEN_FILE, load_token
    from birthmark.surfaces.web.links import SIGN_IN
    from birthmark.surfaces.web.serving import SiteOptions, run_site
    from birthmark.surfaces.web.sign_in import BrowserSecrets

    for name in allowed:
        if not _NAME.fullmatch(name):
            raise BirthmarkError(f"{name}: is not a host name; write it as code.example or code.example:8443")
    workspace = find_workspace(Path.cwd())
    if watches:
        workspace.require_worktree("questions bring its index up to date, so serve it without --watch")
    token = load_token(workspace.home)
    monitoring = Monitoring(audit or workspace.home / "audit.jsonl", log, has_metrics, has_traces, rate)
    check_monitoring(monitoring)
    with stopping_cleanly(), _listen(host, port) as listener:
        address, bound_port = listener.getsockname()[:2]
        secrets = BrowserSecrets.of(token, bound_port)
        link = f"http://{_bracket(address)}:{bound_port}{SIGN_IN}?code={secrets.code}"
        say(f"JSON at http://{_bracket(address)}:{bound_port}/v1 for {workspace.root}; stop with Ctrl-C")
        say(f"the token is in {workspace.home / TOKEN_FILE}")
        say(f"open {link}")
        if not ipaddress.ip_address(address).is_loopback:
            say("other machines can connect, traffic is not encrypted, and the token is the only protection")
        names = (host, address) if not ipaddress.ip_address(address).is_unspecified else ()
        hosts = Hosts.of(bound_port, (*LOOPBACK, *map(_bracket, names)), allowed)
        if opens:
            webbrowser.open(link)  # The listener accepts already; the answer comes when the server runs.
        options = SiteOptions(workspace.root, hosts, secrets, time_limit, monitoring)
        with closing(Coordinator(workspace.root, max_age)) as coordinator, _watching(workspace, coordinator, watches):
            run_site(options, listener, coordinator, processes)


@contextmanager
def _watching(workspace: Workspace, coordinator: Coordinator, watches: bool) -> Iterator[None]:
    from birthmark.app.indexing.watch import Trouble, WatchEvent
    from birthmark.app.indexing.watching_process import WatchingProcess

    def tell(event: WatchEvent) -> None:
        if isinstance(event, Trouble):
            say(event.problem)
        coordinator.report_update()

    if not watches:
        yield
        return
    with closing(WatchingProcess(workspace, tell)):
        yield


def _listen(host: str, port: int) -> socket.socket:
    try:
        return _bind(host, port)
    except (socket.gaierror, UnicodeError) as error:
        raise BirthmarkError(f"{host}: is no address of this machine; name one with --host") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise BirthmarkError(f"port {port} of {host} is taken; name another with --port") from error
        raise BirthmarkError(f"cannot listen on port {port} of {host}: {error.strerror}; name others") from error


def _bind(host: str, port: int) -> socket.socket:
    """The protocol is named, because asyncio sends without delay only on sockets that it knows to be TCP."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host
