"""Run the site on a socket: in this process, or in several that accept connections from it together."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import NamedTuple

import uvicorn
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from birthmark.app.serving.coordinator import Coordinator, Duties, connect
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.isolation import Outside
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.observation import Monitoring
from birthmark.surfaces.http.serving import SETTINGS
from birthmark.surfaces.server_part import telemetry
from birthmark.surfaces.web.sign_in import BrowserSecrets
from birthmark.surfaces.web.site import make_site
from birthmark.surfaces.workers import Workers

_SWITCH_SECONDS = 0.0005  # after which a thread that computes lets one go on that sends or receives
_STARTING_SECONDS = 60  # for a process that answers to begin, and to say that it is there
_STOPPING = (signal.SIGINT, signal.SIGTERM)


class SiteOptions(NamedTuple):
    """The folder, the host names, the secrets and the query time limit of a server."""

    folder: Path
    hosts: Hosts
    secrets: BrowserSecrets
    time_limit: float
    monitoring: Monitoring = Monitoring()
    allow_notes: bool = False  # to agents


def run_site(options: SiteOptions, listener: socket.socket, coordinator: Coordinator, n_processes: int) -> None:
    """Until a signal stops it. A process that ends by itself is replaced."""
    duties = coordinator.duties() if n_processes == 1 else coordinator.duties_elsewhere()
    run(partial(_start, duties=duties), options, listener, n_processes)


def run(
    start: Callable[[SiteOptions], Starlette], options: SiteOptions, listener: socket.socket, n_processes: int
) -> None:
    """Until a signal stops it; `start` makes the site in each process."""
    if options.monitoring.rate is not None:
        monitoring = options.monitoring._replace(rate=options.monitoring.rate / n_processes)
        options = options._replace(monitoring=monitoring)
    config = uvicorn.Config(
        partial(start, options),
        factory=True,
        workers=n_processes,
        timeout_worker_healthcheck=_STARTING_SECONDS,
        **SETTINGS,
    )
    with telemetry().kept_metrics() if options.monitoring.has_metrics else nullcontext():
        if n_processes == 1:
            uvicorn.Server(config).run(sockets=[listener])
        else:
            _supervise(Multiprocess(config, [listener]))
            raise KeyboardInterrupt  # The signal that ended it was taken by the supervisor.


def _supervise(supervisor: Multiprocess) -> None:
    """Only the supervisor gets Ctrl-C, and stops the others: it would end their imports with tracebacks."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    Thread(target=_wait_for_interrupt, args=(supervisor,), name="interrupts", daemon=True).start()
    try:
        with Outside():
            supervisor.run()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait_for_interrupt(supervisor: Multiprocess) -> None:
    signal.sigwait({signal.SIGINT})
    supervisor.should_exit.set()


def _start(options: SiteOptions, duties: Duties) -> Starlette:
    begin_process()
    repositories = connect(duties)
    _before_stopping(repositories.events.close)  # Who listens to events would be waited for.
    workers = Workers(options.time_limit)
    site = make_site(
        options.folder,
        options.hosts,
        options.secrets,
        workers,
        repositories,
        options.monitoring,
        allow_notes=options.allow_notes,
    )
    site.router.lifespan_context = partial(_closing, repositories)
    return site


def begin_process() -> None:
    """Set up a process that answers, within its event loop, when its signals are set up."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    _stop_with_parent()


@asynccontextmanager
async def _closing(repositories: SharedRepositories, app: Starlette) -> AsyncIterator[None]:
    try:
        yield
    finally:
        repositories.close()


def _before_stopping(act: Callable[[], object]) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        act()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    before = {number: signal.getsignal(number) for number in _STOPPING}
    for number in _STOPPING:
        signal.signal(number, stop)


def _stop_with_parent() -> None:
    """A process whose supervisor was killed would serve on for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_wait_for_end, args=(parent,), name="supervisor", daemon=True).start()


def _wait_for_end(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
