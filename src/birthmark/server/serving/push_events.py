"""A forge announces a push: the repositories of the fleet that come from there are looked at first."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.server.fleet.catalog import list_repositories, mark_changed
from birthmark.sources.git.git_settings import normalize_url


def announce_push(url: str, addresses: Iterable[str]) -> list[str]:
    """The names of those that were marked; `addresses` are ways to write where one repository is."""
    wanted = {_written(address) for address in addresses} - {""}
    found = [one.name for one in list_repositories(url) if {one.name.lower(), _written(one.source)} & wanted]
    for name in found:
        mark_changed(url, name)
    return found


def _written(address: str) -> str:
    """Forges do not tell upper from lower case."""
    try:
        return normalize_url(address).lower()
    except ValueError:  # a port that is no number, say
        return ""
