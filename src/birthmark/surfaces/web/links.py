"""The addresses of pages. Whatever links to a page takes its address from here."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlencode

ENTITY, LIFE, FILE, SEARCH, DIFF = "/entity", "/life", "/file", "/search", "/diff"
NOTES = "/notes"
GRAPH, IMPACT, MODULES, USE_PATH, USERS, TESTS = "/graph", "/impact", "/modules", "/path", "/users", "/tests"
HOTSPOTS, SUBSCRIPTIONS, SCANS, SIGN_IN, ASSETS = "/hotspots", "/subscriptions", "/scans", "/sign-in", "/assets"
DELIVERIES = "/deliveries"
REPOSITORIES = "/repositories"  # all of them, at a server that has many; and below it the pages of each


def split_repository(address: str) -> tuple[str, str]:
    """The address of a server, and the link of the repository that is named behind it, or nothing."""
    base, _, name = address.rstrip("/").rpartition(f"{REPOSITORIES}/")
    return (base, repository_link(unquote(name))) if base and "/" not in name else (address.rstrip("/"), "")


def link_to(page: str, *parts: str, anchor: str = "", **values: object) -> str:
    """A page's address with further parts of its path, and with those values of a query that are not None."""
    path = "/".join([page.rstrip("/"), *(quote(part, safe="/") for part in parts)]) or "/"
    query = urlencode({name: str(value) for name, value in values.items() if value is not None and value != ""})
    return path + (f"?{query}" if query else "") + (f"#{quote(anchor)}" if anchor else "")


def repository_link(name: str, link: str = "") -> str:
    """One of many repositories that are served, or an address of it."""
    return f"{REPOSITORIES}/{quote(name, safe='')}{link}"


def entity_link(mark: str, at: str | None = None) -> str:
    return link_to(ENTITY, mark, at=at)


def file_link(path: str, line: int | None = None, at: str | None = None) -> str:
    """A long file has several pages, so the line is a parameter as well as an anchor."""
    return link_to(FILE, path, at=at, line=line, anchor=f"L{line}" if line else "")


def folder_link(path: str) -> str:
    return link_to("/", folder=path)


def folder_links(path: str) -> list[tuple[str, str]]:
    """The name and address of each folder that something is in, the outermost first."""
    names = path.split("/")[:-1]
    return [(name, folder_link("/".join(names[: depth + 1]))) for depth, name in enumerate(names)]


def commit_link(commit: str, parent: str | None = None) -> str:
    """Return the link to the changes of a commit."""
    return link_to(DIFF, base=parent or f"{commit}^", target=commit)
