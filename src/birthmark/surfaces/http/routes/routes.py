"""The table of all routes, made from that of all questions: a question is a route, with its fields as parameters.

The application and its OpenAPI description are made from it.
"""

from __future__ import annotations

from typing import NamedTuple, get_args, get_type_hints

import msgspec

from birthmark.app.workspace.session import unopened_session
from birthmark.documents.document import Document
from birthmark.questions.question import Question
from birthmark.questions.table import QUESTIONS
from birthmark.surfaces.arguments import Param, body_of, params_of, question_of
from birthmark.surfaces.http.access.guards import JSON_PREFIX
from birthmark.surfaces.http.routes.requests import HttpQuery

PREFIX = JSON_PREFIX
DESCRIPTION = f"{PREFIX}/openapi.json"
EVENTS = f"{PREFIX}/events"


class Route(NamedTuple):
    """A method and a path, and the question that is asked there."""

    name: str
    method: str
    path: str
    question: type[Question]
    params: tuple[Param, ...]
    body: type[msgspec.Struct] | None

    def answer(self, query: HttpQuery) -> Document:
        kind = self.question
        asked = question_of(kind, query.values, query.body)
        opened = query.open(refreshes=asked.is_about_worktree) if kind.opens else unopened_session(query.folder)
        with opened as session:
            return asked.answer(session)

    def status_of(self, document: Document) -> int:
        """Return 201 only where something was created."""
        return self.question.status if getattr(document, "created", True) else 200

    @property
    def statuses(self) -> tuple[int, ...]:
        may_be_known = any("created" in document.__struct_fields__ for document in self.documents)
        return (self.question.status, 200) if may_be_known else (self.question.status,)

    @property
    def is_write(self) -> bool:
        return self.question.writes

    @property
    def is_question(self) -> bool:
        """Return whether it asks, though it takes a body."""
        return self.method != "GET" and not self.is_write

    @property
    def summary(self) -> str:
        return (self.question.__doc__ or "").partition("\n")[0]

    @property
    def documents(self) -> tuple[type[Document], ...]:
        """Return one, or several of which the parameters choose one."""
        document = get_type_hints(self.question.answer)["return"]
        return get_args(document) or (document,)


def make_route(name: str, question: type[Question]) -> Route:
    method, _, path = (question.route or f"GET /{name}").partition(" ")
    return Route(name, method, path, question, params_of(question, path), body_of(question))


ROUTES = tuple(make_route(name, question) for name, question in QUESTIONS.items() if question.route is not None)
