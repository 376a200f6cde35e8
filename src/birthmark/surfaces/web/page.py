"""The values of pages: what a request asks for, and what is shown.

A page asks the questions that all clients ask, in one session, and shows the documents it gets. Forms ask those that
write, by `ask`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, TypeVar

from starlette.convertors import Convertor, register_url_convertor

from birthmark.app.workspace.freshness import ShowProgress
from birthmark.app.workspace.session import Session
from birthmark.documents.index import FreshnessDocument
from birthmark.surfaces.arguments import Param
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.http.routes.requests import HttpQuery

Answer = TypeVar("Answer", covariant=True)


class Asked(Protocol[Answer]):
    """A question, by the type of its answer."""

    def answer(self, session: Session) -> Answer: ...


class _AnyText(Convertor[str]):
    """The rest of a path; Starlette's own `path` ends at a line feed."""

    regex = r"[\s\S]*"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("rest", _AnyText())


class WebPage(NamedTuple):
    """A template, what it is filled with, and the pictures on it, each of which can be saved by its name."""

    template: str
    title: str
    values: Mapping[str, Any]
    freshness: FreshnessDocument | None = None
    pictures: Mapping[str, Picture] = {}
    status: int = 200


class Redirect(NamedTuple):
    """A redirect of the browser."""

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


def ask(query: HttpQuery, question: Asked[Answer]) -> Answer:
    """Answer a question in the session of the request; a form opens one for each."""
    with query.open() as session:
        return question.answer(session)
