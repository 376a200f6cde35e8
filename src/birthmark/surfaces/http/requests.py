"""What can be sent: parameters by their table, bodies by their types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from birthmark.surfaces.http.errors import RequestError

_NUMBER = re.compile(r"[0-9]{1,15}")
_LONGEST = 4096


class Param(NamedTuple):
    """A value in the query, or in the path of a route; one that is a number has bounds."""

    name: str
    about: str
    is_required: bool = False
    bounds: tuple[int, int] | None = None
    default: int | None = None
    place: str = "query"


class Asked(NamedTuple):
    """A request that can be worked at. What is missing in `values` was not given."""

    folder: Path
    values: dict[str, Any]
    body: Any = None

    @property
    def ref(self) -> str:
        return str(self.values["ref"])

    def get(self, name: str) -> str | None:
        return self.values.get(name)


def read_values(params: Sequence[Param], query: Sequence[tuple[str, str]], path: Mapping[str, str]) -> dict[str, Any]:
    known = {param.name for param in params if param.place == "query"}
    given: dict[str, str] = dict(path)
    for name, text in query:
        if name not in known:
            raise RequestError("bad_request", f"{name}: there is no such parameter; {_list(known)}")
        if name in given:
            raise RequestError("bad_request", f"{name}: is given twice")
        given[name] = text
    values = {param.name: _read(param, given.get(param.name, "")) for param in params}
    return {name: value for name, value in values.items() if value is not None}


def _read(param: Param, text: str) -> str | int | None:
    """Nothing is the same as not given."""
    if not text:
        if param.is_required:
            raise RequestError("bad_request", f"{param.name}: is missing; {param.about}")
        return param.default
    if param.bounds is None:
        if "\0" in text or len(text) > _LONGEST:
            raise RequestError("bad_request", f"{param.name}: cannot be a name")
        return text
    least, most = param.bounds
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise RequestError("bad_request", f"{param.name}: must be a number from {least} to {most}")
    return int(text)


def _list(known: set[str]) -> str:
    return f"there are {', '.join(sorted(known))}" if known else "there are none here"


def read_body(kind: type[msgspec.Struct] | None, body: bytes) -> msgspec.Struct | None:
    """No body is the same as an empty document."""
    if kind is None:
        if body:
            raise RequestError("bad_request", "this takes no body")
        return None
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError("bad_request", f"the body is not as it should be: {error}") from error


Text = Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST, pattern=r"^[^\x00]*$")]


class IndexRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Bring the index up to date; tell of this file if one is named."""

    path: Text | None = None


class NewSubscription(msgspec.Struct, forbid_unknown_fields=True):
    """What to subscribe to: `ref` is any REF, or a pattern; `at` a revision at which it is accepted."""

    ref: Text
    label: str | None = None
    description: str | None = None
    trigger_on_duplicate: bool = False
    include_members: bool = False
    include_private: bool = False
    include_inherited: bool = True
    track_decorators: bool = True
    cosmetic: bool = False
    users: bool = False
    entity: bool = False
    at: Text | None = None
    team: bool = False


class SubscriptionChanges(msgspec.Struct, forbid_unknown_fields=True):
    """What is to be otherwise; all else stays as it is."""

    label: str | UnsetType | None = UNSET
    description: str | UnsetType | None = UNSET
    trigger_on_duplicate: bool | UnsetType = UNSET
    include_members: bool | UnsetType = UNSET
    include_private: bool | UnsetType = UNSET
    include_inherited: bool | UnsetType = UNSET
    track_decorators: bool | UnsetType = UNSET
    cosmetic: bool | UnsetType = UNSET


class Snooze(msgspec.Struct, forbid_unknown_fields=True):
    """Until when nothing is to be told; a day from now if left out."""

    until: Text | None = None


class ScanRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Without a base the accepted states, without a target the worktree; without ids all subscriptions."""

    base: Text | None = None
    target: Text | None = None
    ids: list[Text] = []
    docs: bool = False
    cosmetic: bool = False


class ApplyRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Accept what a scan found, the last one if none is named; without ids for all subscriptions."""

    ids: list[Text] = []
    dry_run: bool = False
    scan: int | None = None
