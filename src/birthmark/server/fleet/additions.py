"""Sources of a fleet: folders, URLs, files of URLs, and listings of an organisation's repositories.

Gives FleetRepositories. A folder with a worktree is fetched into a mirror as one of another machine is; a bare
repository is used where it is. A listing is what the API of a forge answers: it is not trusted as what a user writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

from birthmark.app.workspace.workspace import find_workspace, found_name
from birthmark.documents.document import Document, doc
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import FleetRepository, list_repositories, put
from birthmark.sources.git.git_files import normalize_url
from birthmark.sources.git.refs import is_bare, is_ref_name
from birthmark.sources.remotes import read_remote

SAFE = frozenset({"https", "ssh"})
# Keys of a repository in a listing, as GitHub, its command `gh`, and GitLab have them.
_HTTPS = ("clone_url", "http_url_to_repo", "url")
_SSH = ("ssh_url", "ssh_url_to_repo", "sshUrl")
_ARCHIVED = ("archived", "isArchived")
_EMPTY = ("empty_repo", "isEmpty", "disabled")


class AddedDocument(Document, frozen=True):
    """The repositories that were added to the fleet."""

    added: Annotated[list[str], doc("names")]
    known: Annotated[list[str], doc("names of those that were there already")]


def add_repositories(url: str, found: Iterable[FleetRepository], name: str = "") -> AddedDocument:
    """Add what is not there by its name; another source of the same name is an error."""
    wanted = list(found)
    if name and len(wanted) != 1:
        raise BirthmarkError("--name is for one repository; name one source")
    wanted = [_named(one, name) for one in wanted]
    there = {one.name: one for one in list_repositories(url)}
    for one in wanted:
        if one.name in there and there[one.name].source != one.source:
            raise BirthmarkError(f"{one.name}: is there already, from {there[one.name].source}; give another --name")
    new = [one for one in wanted if one.name not in there]
    put(url, new)
    return AddedDocument([one.name for one in new], [one.name for one in wanted if one.name in there])


def _named(repository: FleetRepository, name: str) -> FleetRepository:
    return FleetRepository(name=name or repository.name, source=repository.source, ref=repository.ref)


def read_source(text: str, ref: str = "", protocols: frozenset[str] = SAFE) -> FleetRepository:
    """A folder, or the URL of a repository."""
    if ref and not is_ref_name(ref):
        raise BirthmarkError(f"{ref!r} is not the full name of a ref; name one such as refs/heads/main")
    if os.path.isdir(text):
        return _of_folder(Path(text), ref)
    if "://" not in text and ":" not in text:
        raise BirthmarkError(f"{text}: no such folder, and no URL; name one such as https://host/owner/name")
    remote = read_remote(text, protocols)
    if remote.secrets:
        raise BirthmarkError(f"{remote.url}: passwords are not stored; write it into a file for refresh --credentials")
    return FleetRepository(name=normalize_url(remote.url), source=remote.url, ref=ref)


def _of_folder(folder: Path, ref: str) -> FleetRepository:
    workspace = find_workspace(folder)
    if not workspace.has_git:
        raise BirthmarkError(f"{workspace.root}: is no git repository; a fleet is indexed by commits")
    source = str(workspace.root) if is_bare(workspace.root) else workspace.root.as_uri()
    return FleetRepository(name=found_name(workspace.root), source=source, ref=ref)


def read_sources(path: Path, ref: str = "") -> Iterator[FleetRepository]:
    """A line is a URL or a folder; `#` begins a comment."""
    for line in _read(path).splitlines():
        if text := line.partition("#")[0].strip():
            yield read_source(text, ref, SAFE | {"file"})


def read_listing(
    path: Path, ref: str = "", *, with_archived: bool = False, by_ssh: bool = False
) -> Iterator[FleetRepository]:
    """The repositories that the API of GitHub or GitLab lists; pages may follow each other, or be in an array."""
    for entry in _entries(path):
        if not any(entry.get(key) for key in (*_EMPTY, *(() if with_archived else _ARCHIVED))):
            yield read_source(_address(entry, path, _SSH if by_ssh else _HTTPS), ref)


def _address(entry: dict[str, Any], path: Path, keys: tuple[str, ...]) -> str:
    found = next((entry[key] for key in keys if isinstance(entry.get(key), str)), None)
    if found is None:
        raise BirthmarkError(
            f"{path}: a repository has none of {', '.join(keys)}; it is no listing of GitHub or GitLab"
        )
    return str(found)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    decoder, text = json.JSONDecoder(), _read(path).strip()
    try:
        while text:
            page, end = decoder.raw_decode(text)
            yield from _flat(page, path)
            text = text[end:].strip()
    except (json.JSONDecodeError, RecursionError) as error:
        raise BirthmarkError(f"{path}: is no JSON ({error}); give what the API of the forge answers") from None


def _flat(page: object, path: Path) -> Iterator[dict[str, Any]]:
    """`items` is what a search has."""
    match page:
        case {"items": list(items)}:
            yield from _flat(items, path)
        case list():
            for one in page:
                yield from _flat(one, path)
        case dict():
            yield page
        case _:
            raise BirthmarkError(f"{path}: is no list of repositories; give what the API of the forge answers")


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BirthmarkError(f"{path}: {getattr(error, 'strerror', None) or 'is no text in UTF-8'}") from error
