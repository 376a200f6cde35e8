"""Scan the subscriptions of all repositories of a fleet, each at the commit that its folder on this machine has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.workspace.session import open_session
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import FleetRepository, find_repository, folder_of, list_repositories, write_name
from birthmark.subscriptions.model import ScanReport


class RepositoryScan(NamedTuple):
    """What was found in a repository, or why it was not scanned."""

    repository: str
    folder: Path
    report: ScanReport | None = None
    problem: str = ""


def scan_fleet(
    url: str, names: Sequence[str], mirrors: Path, options_in: Callable[[Path], ScanOptions]
) -> Iterator[RepositoryScan]:
    """Those that are named, or all that have subscriptions; what is wrong with one holds up none of the others."""
    known = [find_repository(url, name) for name in names] if names else list_repositories(url)
    for one in known:
        done = _scan_one(one, folder_of(one, mirrors), options_in)
        if names or done is not None:
            yield done or RepositoryScan(one.name, folder_of(one, mirrors), problem="there are no subscriptions in it")


def _scan_one(
    repository: FleetRepository, folder: Path, options_in: Callable[[Path], ScanOptions]
) -> RepositoryScan | None:
    """None where there is nothing to scan."""
    if not folder.is_dir():
        problem = "is not on this machine yet; run `birthmark fleet refresh`"
        return RepositoryScan(repository.name, folder, problem=problem)
    try:
        write_name(folder, repository.name)
        with open_session(folder) as session:
            if not list_subscriptions(session.workspace):
                return None
            return RepositoryScan(repository.name, folder, scan(session, options_in(folder)))
    except BirthmarkError as error:
        return RepositoryScan(repository.name, folder, problem=str(error))
