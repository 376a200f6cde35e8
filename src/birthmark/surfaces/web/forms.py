"""The fields of a form."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from birthmark.surfaces.request_error import RequestError

_MOST_FIELDS = 1000


async def read_fields(request: Request) -> list[tuple[str, str]]:
    """Those that are filled in."""
    try:
        text = (await request.body()).decode()
        return parse_qsl(text, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise RequestError("bad_request", "the form cannot be read") from error
