"""The base of all documents, and their encoding.

Lines count from 1, bytes from 0; `end_line` is inclusive. What does not apply is null, not missing; only a field that
may be UNSET can be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta

from birthmark.decoding import prepared


class Document(msgspec.Struct, frozen=True):
    """A JSON document, or a part of one."""

    def _repr_html_(self) -> str | None:
        """Return the HTML for notebooks, or None if the document has no special representation."""
        # By name: documents know nothing of the surfaces that show them.
        found: str | None = import_module("birthmark.surfaces.formats.notebooks").show_document(self)
        return found


DocumentType = TypeVar("DocumentType", bound=Document)


class PagedDocument(Document, kw_only=True, frozen=True):
    """A document with a list that may be a page of a longer one."""

    truncated: Annotated[bool, Meta(description="whether there is more")] = False
    next: Annotated[int | None, Meta(description="the `offset` of the next page, null if there is none")] = None


class ProblemDocument(Document, frozen=True):
    """A path that could not be read, and the reason."""

    path: str
    problem: str
    line: int | None


class ErrorDetailsDocument(Document, frozen=True):
    """The reason why a request has no answer."""

    message: str
    code: str
    choices: Annotated[list[str], doc("a line for each thing that may be meant: its place, its mark and what it is")]


class ErrorDocument(Document, frozen=True):
    """The answer to a request that failed: a problem document of RFC 9457, with the details of this program."""

    error: ErrorDetailsDocument
    title: Annotated[str, doc("the phrase of the status")]
    status: int
    detail: Annotated[str, doc("the same as `message` in `error`")]
    type: Annotated[str, doc("`about:blank`: the status and the code say what kind of problem it is")] = "about:blank"


class Brief(NamedTuple):
    """Keeps a field in brief documents, which agents read: see `documents/brief.py`."""

    name: str = ""  # that of the field if empty
    form: Callable[[Any], Any] | None = None  # makes the value of that of the field
    of_document: bool = False  # the form takes the document instead
    unless: Any = UNSET  # the value that is left out, as null and empty lists are
    cut: int = 0  # of a list or text that is cut to a budget: its place among those
    number: str = ""  # of a list: the name under which its elements are numbered from 1
    is_flat: bool = False  # the fields of the nested document stand in its place


KEPT = Brief()


def doc(description: str | None = None, brief: Brief | tuple[Brief, ...] = ()) -> Meta:
    """Describe a field, for JSON Schema and the reference; and its brief forms, if it has any."""
    return Meta(description=description, extra=_extra(brief))


def words(of: Iterable[str], description: str, brief: Brief | tuple[Brief, ...] = ()) -> Meta:
    """Describe a field that has only some words of an enum."""
    return Meta(description=description, extra_json_schema={"enum": list(map(str, of))}, extra=_extra(brief))


def _extra(brief: Brief | tuple[Brief, ...]) -> dict[str, Any] | None:
    return {"brief": (brief,) if isinstance(brief, Brief) else brief} if brief else None


def make(kind: type[DocumentType], source: object, /, **fields: object) -> DocumentType:
    """A document whose fields are the attributes of the same names of a value, but for those that are given.

    Structs in it become documents likewise; a field that is given as UNSET is left out.
    """
    given = {*fields, *(PagedDocument.__struct_fields__ if issubclass(kind, PagedDocument) else ())}
    same = {name: getattr(source, name) for name in kind.__struct_fields__ if name not in given}
    encoded = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    values = {encoded[name]: value for name, value in (same | fields).items() if value is not UNSET}
    return msgspec.convert(values, prepared(kind), from_attributes=True)


def encode_json(document: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def encode_line(document: object) -> bytes:
    return msgspec.json.encode(document)
