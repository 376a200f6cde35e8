"""Push events of forges: what is signed with the secret that both sides know marks a repository as changed.

The secrets are in the environment; without one the route of that forge does not exist. Whatever else the event says is
not believed: the refs are looked at by the next refresh.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from secrets import compare_digest
from typing import Annotated, NamedTuple

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from birthmark.documents.document import Document, doc, encode_line
from birthmark.server.fleet.catalog import list_repositories, mark_changed
from birthmark.sources.git.git_files import normalize_url
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.workers import Workers

HOOKS = "/v1/hooks"


class PushDocument(Document, frozen=True):
    """The result of a push event."""

    marked: Annotated[list[str], doc("the repositories that the next refresh looks at first")]


class _PushedRepository(msgspec.Struct, frozen=True):
    """The addresses of the pushed repository: the first two fields are GitHub's, the others GitLab's."""

    clone_url: str = ""
    ssh_url: str = ""
    git_http_url: str = ""
    git_ssh_url: str = ""


class _Push(msgspec.Struct, frozen=True):
    repository: _PushedRepository = _PushedRepository()
    project: _PushedRepository = _PushedRepository()

    @property
    def addresses(self) -> list[str]:
        values = (*msgspec.structs.astuple(self.repository), *msgspec.structs.astuple(self.project))
        return [value for value in values if value]


def _is_signed(secret: bytes, body: bytes, headers: Headers) -> bool:
    expected = "sha256=" + hmac.new(secret, body, sha256).hexdigest()
    return compare_digest(headers.get("x-hub-signature-256", "").encode(), expected.encode())


def _has_token(secret: bytes, body: bytes, headers: Headers) -> bool:
    return compare_digest(headers.get("x-gitlab-token", "").encode(), secret)


class Forge(NamedTuple):
    """The secret's variable, the check of signatures, and the events that are pushes."""

    variable: str
    proves: Callable[[bytes, bytes, Headers], bool]
    event_header: str
    pushes: tuple[str, ...]


FORGES = {
    "github": Forge("BIRTHMARK_GITHUB_SECRET", _is_signed, "x-github-event", ("push", "create", "delete")),
    "gitlab": Forge("BIRTHMARK_GITLAB_SECRET", _has_token, "x-gitlab-event", ("Push Hook", "Tag Push Hook")),
}


def answer_hook(announce: Callable[[Sequence[str]], list[str]], workers: Workers) -> Callable[[Request], object]:
    """`announce` marks the repositories with some addresses, and names them."""

    async def answer(request: Request) -> Response:
        addresses = read_push(request.path_params["forge"], await request.body(), request.headers)
        marked = await workers.run(lambda: announce(addresses), is_write=True) if addresses else []
        return Response(encode_line(PushDocument(marked)), 202, media_type="application/json")

    return answer


def read_push(name: str, body: bytes, headers: Headers) -> list[str]:
    """The addresses of the repository of a push; none where the event is another one."""
    forge = FORGES.get(name)
    secret = os.environ.get(forge.variable, "").encode() if forge is not None else b""
    if forge is None or not secret:
        raise RequestError("not_found", f"{name}: no secret is set for events of this forge")
    if not forge.proves(secret, body, headers):
        raise RequestError("unauthorized", "the event is not signed with the secret of this server")
    if headers.get(forge.event_header, "") not in forge.pushes:
        return []
    try:
        return msgspec.json.decode(body, type=_Push).addresses
    except msgspec.DecodeError as error:
        raise RequestError("bad_request", f"the event cannot be read: {error}") from error


def announce_push(url: str, addresses: Iterable[str]) -> list[str]:
    """Mark the repositories with some addresses, so that they are refreshed first, and return their names."""
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
