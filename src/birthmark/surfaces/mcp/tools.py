"""The table of tools. What clients are sent, and how arguments are read, is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from birthmark.documents import brief
from birthmark.documents.brief import BriefAnswer
from birthmark.surfaces.http.routes.requests import HttpQuery, Param, read_values
from birthmark.surfaces.mcp import entity_answers, graph_answers, written_answers
from birthmark.surfaces.mcp.budget import UncutAnswer
from birthmark.surfaces.request_error import RequestError

DEFAULT_TOKENS = 2000
BOOLEAN = ("true", "false")

_REF = Param("ref", "mark, path:line, path::Name, name, or any id", True)
_AT = Param("at", "revision")
_EVERYWHERE = Param(
    "everywhere", "in all repositories of the database: REPOSITORY//path", default="false", choices=BOOLEAN
)
_PATCH = Param("patch", "with changed lines", default="false", choices=BOOLEAN)
_PAGE = (
    Param(
        "tokens",
        f"most tokens of the answer; {DEFAULT_TOKENS} if left out",
        bounds=(200, 100_000),
        default=DEFAULT_TOKENS,
    ),
    Param("cursor", "`next` of the answer before", bounds=(0, 10**9), default=0),
)


class ToolSpec(NamedTuple):
    """A tool: what it is called with, and the function that answers."""

    name: str
    description: str
    params: tuple[Param, ...]
    answer: Callable[[HttpQuery], UncutAnswer]
    document: type[BriefAnswer]
    writes: bool = False

    @property
    def all_params(self) -> tuple[Param, ...]:
        return (*self.params, *_PAGE)

    def is_write(self, values: Mapping[str, Any]) -> bool:
        return self.writes and values["action"] != "list"

    def read_arguments(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Valid ones; those that are not given have their defaults. They are read as those of a route are."""
        given = [(name, _written(name, value)) for name, value in arguments.items() if value is not None]
        return read_values(self.all_params, given, {})


def _written(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | str):
        return str(value)
    raise RequestError("bad_request", f"{name}: must be a text, a number or a truth value")


_TOOLS = (
    ToolSpec(
        "search",
        "Find definitions by name, part of it, former name, or words in docs and code.",
        (
            Param("text", "", True),
            Param("kind", "class, function, …"),
            Param("path", "file, folder or pattern; ! excludes"),
            _EVERYWHERE,
        ),
        entity_answers.search,
        brief.SearchAnswer,
    ),
    ToolSpec(
        "show",
        "A definition with source and notes; if deleted, as it last was.",
        (_REF,),
        entity_answers.show,
        brief.ShowAnswer,
    ),
    ToolSpec(
        "resolve",
        "Where any REF is now, even an old mark, name or path:line (as of `at`): renamed, moved, deleted, "
        "by which commit.",
        (_REF, _AT),
        entity_answers.resolve,
        brief.ResolveAnswer,
    ),
    ToolSpec(
        "history",
        "What each commit did to a definition, through renames and moves, newest first.",
        (_REF, _AT, Param("since", "date or revision"), _PATCH),
        entity_answers.show_history,
        brief.HistoryAnswer,
    ),
    ToolSpec(
        "diff",
        "What became of each definition between two revisions; without `target`, up to the worktree.",
        (Param("base", "revision or A..B; default HEAD"), Param("target", ""), Param("path", ""), _PATCH),
        entity_answers.diff,
        brief.DiffAnswer,
    ),
    ToolSpec(
        "graph",
        "Who uses or calls it, what it calls, what a change may break (impact), which tests reach it, "
        "how it comes to use `to` (path).",
        (
            _REF,
            Param("question", "", True, choices=tuple(graph_answers.QUESTIONS)),
            Param("to", "REF, for path"),
            Param("depth", "for impact", bounds=(1, 100)),
            _EVERYWHERE,
        ),
        graph_answers.ask_graph,
        brief.GraphAnswer,
    ),
    ToolSpec(
        "context",
        "All to read before changing a definition: source, notes, what it uses, users, tests; best first.",
        (_REF,),
        entity_answers.give_context,
        brief.ContextAnswer,
    ),
    ToolSpec(
        "subscriptions",
        "What people watch, and what scans reported of it.",
        (),
        written_answers.list_subscriptions,
        brief.SubscriptionsAnswer,
    ),
)
_STALE = Param("stale", "only where the code changed since", default="false", choices=BOOLEAN)
_NOTED = _REF._replace(is_required=False)
_READ_NOTES = ToolSpec(
    "notes",
    "What people and agents wrote down about definitions.",
    (_NOTED, _STALE),
    written_answers.list_notes,
    brief.NotesAnswer,
)
_WRITE_NOTES = _READ_NOTES._replace(
    description="What people and agents wrote down about definitions; write what the next reader should know.",
    params=(
        Param("action", "", default="list", choices=("list", *written_answers.NOTE_ACTIONS)),
        _NOTED,
        Param("text", "to write or edit"),
        Param("id", "of a note, to edit, keep or delete"),
        _STALE,
    ),
    answer=written_answers.use_notes,
    writes=True,
)


def list_tools(*, allow_notes: bool = False) -> tuple[ToolSpec, ...]:
    """Writing is offered only where it is allowed."""
    return (*_TOOLS, _WRITE_NOTES if allow_notes else _READ_NOTES)
