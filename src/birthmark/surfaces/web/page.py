"""The values of pages: what a request asks for, and what is shown.

A page asks the questions that all clients ask, in one session, and shows the documents it gets. Forms ask the routes
that write, by `ask`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from starlette.convertors import Convertor, register_url_convertor

from birthmark.app.workspace.freshness import ShowProgress
from birthmark.documents.index import FreshnessDocument
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.http.routes.requests import HttpQuery, Param, read_values
from birthmark.surfaces.http.routes.routes import ROUTES

Answer = TypeVar("Answer")


class _AnyText(Convertor[str]):
    """The rest of a path; Starlette's own `path` ends at a line feed."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("rest", _AnyText())

_PARAMS = {route.answer: route.params for route in ROUTES}


class WebPage(NamedTuple):
    """A template, what it is filled with, and the pictures on it, each of which can be saved by its name."""

    template: str
    title: str
    values: Mapping[str, Any]
    freshness: FreshnessDocument | None = None
    pictures: Mapping[str, Picture] = {}
    status: int = 200


class Redirect(NamedTuple):
    """Where the browser is to go instead."""

    location: str


class PageRoute(NamedTuple):
    """A path, what answers it, and the parameters in its query and path, or in the fields of a form.

    A form writes something; its fields are parameters like others. What is asked before a form is sent is for those
    alone who may send it.
    """

    path: str
    answer: Callable[[HttpQuery], WebPage | Redirect]
    params: tuple[Param, ...] = ()
    is_form: bool = False
    is_for_writers: bool = False
    waiting: str = ""  # the title of the page that is shown instead if it takes long

    def answer_in_session(self, query: HttpQuery, show_progress: ShowProgress) -> WebPage | Redirect:
        """Answer with all questions asked in one session; a form opens what it needs."""
        if self.is_form:
            return self.answer(query)
        with query.sessions.open(visible=query.visible, show_progress=show_progress) as session:
            return self.answer(query._replace(opened=session))


def ask(
    query: HttpQuery, answer: Callable[[HttpQuery], Answer], body: msgspec.Struct | None = None, /, **values: object
) -> Answer:
    """Answer as a JSON route does. Values that are None are not given, so that its own defaults hold."""
    params = _PARAMS[answer]  # type: ignore[index]
    given = {name: str(value) for name, value in values.items() if value is not None}
    in_path = {param.name: given.pop(param.name) for param in params if param.location == "path"}
    return answer(query._replace(values=read_values(params, list(given.items()), in_path), body=body))
