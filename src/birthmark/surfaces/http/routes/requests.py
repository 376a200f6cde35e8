"""The input of a request over HTTP: a question's values, its body and its session."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from birthmark.app.across import Visible
from birthmark.app.workspace.session import Session, Sessions
from birthmark.decoding import prepared
from birthmark.surfaces.arguments import (
    split_list,
)
from birthmark.surfaces.request_error import RequestError


class HttpQuery(NamedTuple):
    """A request whose parameters and body are valid. A parameter that was not given is not in `values`.

    `visible` are the repositories that who asks may see: without it, no other than the one that is asked."""

    sessions: Sessions
    values: dict[str, Any]
    body: Any = None
    visible: Visible = frozenset()
    opened: Session | None = None

    @property
    def session(self) -> Session:
        """The one session in which all is asked."""
        assert self.opened is not None, "this asks nothing of the index"
        return self.opened

    def open(self, *, refreshes: bool = True) -> AbstractContextManager[Session]:
        """Open a session for the request, if it has none yet."""
        if self.opened is not None:
            return nullcontext(self.opened)
        return self.sessions.open(refreshes=refreshes and self.refreshes, visible=self.visible)

    @property
    def folder(self) -> Path:
        return self.sessions.folder

    @property
    def ref(self) -> str:
        return str(self.values["ref"])

    @property
    def refreshes(self) -> bool:
        """Return whether to update the index first."""
        return self.values.get("refresh") == "true"

    @property
    def is_everywhere(self) -> bool:
        """Return whether to ask other repositories, too."""
        return self.values.get("everywhere") == "true"

    @property
    def limit(self) -> int:
        return int(self.values["limit"])

    @property
    def offset(self) -> int:
        return int(self.values["offset"])

    def listed(self, name: str) -> list[str]:
        """Values that are joined by commas."""
        return split_list(str(self.values.get(name, "")))

    def get(self, name: str) -> str | None:
        return self.values.get(name)


def read_body(kind: type[msgspec.Struct] | None, body: bytes) -> msgspec.Struct | None:
    """No body is the same as an empty document."""
    if kind is None:
        if body:
            raise RequestError("bad_request", "this takes no body")
        return None
    try:
        return msgspec.json.decode(body or b"{}", type=prepared(kind))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError("bad_request", f"the body is not valid: {error}") from error
