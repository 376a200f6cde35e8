"""Feeds over HTTP: Atom documents with an ETag, so that a reader that asks often gets little."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from birthmark.app.across import Visible
from birthmark.app.scans.feeds import read_feed
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.workspace import find_workspace
from birthmark.surfaces.arguments import Param, read_values
from birthmark.surfaces.formats.atom import MEDIA_TYPE, write_feed
from birthmark.surfaces.http.access.persons import visible_to
from birthmark.surfaces.workers import Workers

KEY = Param("key", "The key of this feed, for readers that cannot send the token.")
ID = Param("id", "The id of a subscription.", True, location="path")


def answer_feed(repositories: SharedRepositories, workers: Workers) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        params = (KEY, ID) if "id" in request.path_params else (KEY,)
        values = read_values(params, request.query_params.multi_items(), request.path_params)
        body = await workers.run(partial(_write, repositories, values.get("id"), visible_to(request.scope)))
        etag = f'"{sha256(body).hexdigest()[:32]}"'
        headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
        if _is_known(etag, request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=MEDIA_TYPE)

    return answer


def _write(repositories: SharedRepositories, id_: str | None, visible: Visible) -> bytes:
    """Runs in a thread."""
    return write_feed(read_feed(find_workspace(repositories.folder), id_, visible))


def _is_known(etag: str, given: str) -> bool:
    return given.strip() == "*" or etag in (one.strip().removeprefix("W/") for one in given.split(","))
