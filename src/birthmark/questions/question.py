"""The base of all questions, and their parameters as values.

A question is a frozen struct: its fields are its parameters, and `answer(session)` gives its document. Routes of HTTP,
tools of agents, methods in Python, options of commands and the reference are derived from the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import islice
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, UnsetType

from birthmark.app.workspace.session import Session
from birthmark.decoding import prepared
from birthmark.documents.document import Document, PagedDocument
from birthmark.errors import BirthmarkError
from birthmark.queries.missing import EMPTY

QuestionType = TypeVar("QuestionType", bound="Question")
PagedType = TypeVar("PagedType", bound=PagedDocument)
T = TypeVar("T")


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask something of a repository."""

    arguments: ClassVar[tuple[str, ...]] = ()  # the fields that a command takes by position
    refreshes: ClassVar[bool] = True  # the index is brought up to date first
    writes: ClassVar[bool] = False  # something is stored
    opens: ClassVar[bool] = True  # the index is opened first, if there is one
    route: ClassVar[str | None] = ""  # method and path over HTTP: `GET /name` if left out; None: not over HTTP
    body: ClassVar[str] = ""  # the name of the JSON body, which has the fields that are not in the path
    in_query: ClassVar[tuple[str, ...]] = ("limit", "offset")  # the fields that are never in a body
    status: ClassVar[int] = 200  # of the response over HTTP

    def answer(self, session: Session) -> Document:
        raise NotImplementedError

    def from_folder(self, session: Session) -> Self:
        """Return the question with paths relative to the root, where they are given relative to the current folder."""
        names = [one.name for one in parameters_of(type(self)) if one.extra.get("completes") == "path"]
        given = {name: value for name in names if (value := getattr(self, name))}
        return msgspec.structs.replace(self, **{name: _from_root(session, value) for name, value in given.items()})

    @property
    def is_about_worktree(self) -> bool:
        """Return whether the index is brought up to date first, for these parameters."""
        return self.refreshes


class PagedQuestion(Question, frozen=True, kw_only=True):
    """A question about a list, which is answered whole or a page at a time."""

    limit: Annotated[int, Meta(ge=1, le=100_000, description="List at most N results.")] | None = None
    offset: Annotated[int, Meta(ge=0, le=10**12, description="Skip N results: `next` of the page before.")] = 0

    @property
    def end(self) -> int | None:
        """The number of the first result after the page; None without a limit."""
        return None if self.limit is None else self.offset + self.limit

    def page_of(self, rows: Iterable[T]) -> Iterator[T]:
        """Yield the rows of the page as they come."""
        return islice(rows, self.offset, self.end)

    def cut(self, rows: Iterable[T]) -> tuple[list[T], int | None]:
        """Return the rows of the page, and where the next one begins; no more are computed than needed."""
        found = list(islice(rows, self.offset, None if self.end is None else self.end + 1))
        return found[: self.limit], self.next_after(self.offset + len(found))

    def next_after(self, n_found: int) -> int | None:
        """Return where the next page begins, if so many results are known."""
        return self.end if self.end is not None and n_found > self.end else None

    def cut_lists(self, document: PagedType, *fields: str) -> PagedType:
        """Cut a page of each of some lists of a document."""
        lists = {field: found for field in fields if (found := getattr(document, field)) is not None}
        start = max((self.next_after(len(found)) or 0 for found in lists.values()), default=0) or None
        pages = {field: found[self.offset : self.end] for field, found in lists.items()}
        return msgspec.structs.replace(document, **pages, truncated=start is not None, next=start)


class ListQuestion(Question, frozen=True, kw_only=True):
    """A question whose document has rows that can also be read one by one."""

    json_is_lines: ClassVar[bool] = False  # Rows are never printed as one JSON list.

    def rows(self, session: Session) -> Iterator[Document]:
        """Yield all rows as they are found."""
        raise NotImplementedError

    @property
    def is_listed(self) -> bool:
        """Return whether the answer is a list of rows, for these parameters."""
        return True

    def is_of_index(self, session: Session) -> bool:
        """Return whether rows come from the index, for these parameters."""
        return self.refreshes and session.repository.store is not None


class Parameter(NamedTuple):
    """A field of a question, for the surfaces that derive their own form of it."""

    name: str
    kind: type  # str, int, float or bool, of one value
    description: str
    brief: str  # for agents: the title, or the description if there is none
    default: Any = None
    is_required: bool = False
    is_list: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    extra: Mapping[str, Any] = {}

    @property
    def has_flags(self) -> bool:
        """Return whether a command has a flag for each word of the list."""
        return "flags" in self.extra


@cache
def parameters_of(question: type[Question]) -> tuple[Parameter, ...]:
    hints = get_type_hints(question, include_extras=True)
    return tuple(_parameter(field.name, hints[field.name], field.default) for field in msgspec.structs.fields(question))


def make_question(kind: type[QuestionType], values: Mapping[str, Any]) -> QuestionType:
    """Make a question of values that are checked by its types; texts may stand for numbers and truth values."""
    _check_words(kind, values)
    try:
        return msgspec.convert(values, prepared(kind), strict=False)
    except msgspec.ValidationError as error:
        raise BirthmarkError(f"{_path_of(error)}; see the parameters of this question") from error


def _check_words(kind: type[Question], values: Mapping[str, Any]) -> None:
    for one in parameters_of(kind):
        given = values.get(one.name)
        if given == "" and one.extra.get("completes") == "ref":
            raise BirthmarkError(EMPTY)
        found = given if isinstance(given, list | tuple) else [given] if isinstance(given, str) else ()
        for word in found if one.choices else ():
            if word not in one.choices:
                raise BirthmarkError(f"{one.name}: unknown value {word!r}; choose from {', '.join(one.choices)}")


def _from_root(session: Session, given: Any) -> Any:
    """Paths, relative to the root of the repository."""
    from birthmark.app.changes.diff_arguments import from_root  # It loads what compares commits.

    if isinstance(given, str):
        return from_root(session.repository, given)
    return tuple(from_root(session.repository, one) for one in given)


def _path_of(error: msgspec.ValidationError) -> str:
    reason, _, path = str(error).partition(" - at `$.")
    return f"{path.rstrip('`')}: {reason}" if path else reason


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    metas, kinds = list(_metas(hint)), [one for one in members_of(hint) if one not in (NoneType, UnsetType)]
    is_list = get_origin(kinds[0]) is tuple
    kind = get_args(kinds[0])[0] if is_list else kinds[0]
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    choices = _choices(kind) or (_first(metas, "extra") or {}).get("choices", ())
    return Parameter(
        name,
        str if choices else kind,
        _first(metas, "description") or "",
        (_first(metas, "description") if _first(metas, "title") is None else _first(metas, "title")) or "",
        None if default in (NODEFAULT, UNSET) else default,
        default is NODEFAULT,
        is_list,
        choices,
        _first(metas, "ge"),
        _first(metas, "le"),
        _first(metas, "extra") or {},
    )


def _first(metas: Iterable[Meta], name: str) -> Any:
    """Return the first value of an attribute that one of the annotations sets."""
    return next((said for one in metas if (said := getattr(one, name)) is not None), None)


def _metas(hint: Any) -> Iterator[Meta]:
    """Yield the annotations of a type, and of the members of a union."""
    if get_origin(hint) is Annotated:
        yield from (one for one in get_args(hint)[1:] if isinstance(one, Meta))
        yield from _metas(get_args(hint)[0])
    elif get_origin(hint) in (Union, UnionType):
        yield from (meta for one in get_args(hint) for meta in _metas(one))


def members_of(hint: Any) -> Iterator[Any]:
    """Yield the type itself, or the members of a union."""
    if get_origin(hint) is Annotated:
        yield from members_of(get_args(hint)[0])
    elif get_origin(hint) in (Union, UnionType):
        yield from (member for one in get_args(hint) for member in members_of(one))
    else:
        yield hint


def _choices(kind: Any) -> tuple[str, ...]:
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(map(str, kind)) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()
