"""Brief documents, for readers that pay for each token: a projection of any document, and its JSON Schema.

Takes a document whose fields say with `doc(..., brief=...)` whether they are kept, by which name and in which form.
Of a document that marks no field all are kept. Null, empty lists and what a field names as `unless` are left out.
A class with a method `in_brief` is a text; with `base_in_brief`, the fields of its base are a document of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Protocol, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, UnsetType

from birthmark.documents.document import Brief, Document, PagedDocument

_COMMIT_DIGITS, _DATE_LENGTH = 12, 10
_LONGEST_LINE = 160  # characters of a signature, a subject or a line
_TYPES = {bool: "boolean", int: "integer", float: "number"}
Schema = dict[str, Any]


class HasLines(Protocol):
    """A document with lines of a file."""

    @property
    def path(self) -> str: ...
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...


class BriefField(NamedTuple):
    """A field of a document, the type of its value there, and how it is kept."""

    field: str
    type: Any
    brief: Brief

    @property
    def name(self) -> str:
        return self.brief.name or self.field

    def value_in(self, document: Document) -> Any:
        value = document if self.brief.of_document else getattr(document, self.field)
        return value if self.brief.form is None else self.brief.form(value)


def write_brief(document: Document) -> dict[str, Any]:
    """Return the brief form of a document."""
    found: dict[str, Any] = {}
    for one in brief_fields(type(document)):
        value = _plain(one.value_in(document))
        if one.brief.is_flat:
            found |= value
        elif not _says_nothing(value, one.brief):
            found[one.name] = value
    return found


def brief_head(document: Document) -> dict[str, Any]:
    """Return the brief form without what is cut to a budget."""
    lists = {one.name for one in brief_fields(type(document)) if one.brief.cut}
    return {name: value for name, value in write_brief(document).items() if name not in lists}


def brief_parts(document: Document) -> Iterator[tuple[str, Any]]:
    """Yield what is cut to a budget, by field: the elements of lists, and texts as they are."""
    lists = [one for one in brief_fields(type(document)) if one.brief.cut]
    for one in sorted(lists, key=lambda one: one.brief.cut):
        value = _plain(one.value_in(document))
        if isinstance(value, str):
            yield one.name, value
            continue
        for number, element in enumerate(value or (), 1):
            is_numbered = one.brief.number and number > 1
            yield one.name, element | {one.brief.number: number} if is_numbered else element


def _plain(value: Any) -> Any:
    if isinstance(value, Document):
        return value.in_brief() if hasattr(value, "in_brief") else write_brief(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if value is UNSET else value


def _says_nothing(value: Any, brief: Brief) -> bool:
    return value is None or value in ([], ()) or value == brief.unless


@cache
def brief_fields(kind: type[Document]) -> tuple[BriefField, ...]:
    hints = get_type_hints(kind, include_extras=True)
    nested = getattr(kind, "base_in_brief", "")
    base: Any = kind.__bases__[0]
    names = [name for name in kind.__struct_fields__ if not nested or name not in base.__struct_fields__]
    marked = [BriefField(name, hints[name], one) for name in names for one in _marks(hints[name])]
    if nested:
        marked.insert(0, BriefField(nested, base, Brief(form=_as_base(base), of_document=True)))
    if marked:
        return tuple(marked)
    left_out = {*PagedDocument.__struct_fields__, "freshness"}
    kept = [name for name in names if name not in left_out]
    return tuple(BriefField(name, hints[name], Brief(cut=_is_list(hints[name]))) for name in kept)


def _as_base(base: type[Document]) -> Any:
    return lambda document: base(*(getattr(document, name) for name in base.__struct_fields__))


def _marks(hint: Any) -> Iterator[Brief]:
    for meta in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
        mark = (meta.extra or {}).get("brief", ()) if isinstance(meta, Meta) else ()
        # Structs of other rooms have words for it.
        yield from (LINE if mark == "line" else Brief(),) if isinstance(mark, str) else mark


def _is_list(hint: Any) -> bool:
    """Return whether it is a list of documents."""
    lists = [get_args(one)[0] for one in _members(hint)[0] if get_origin(one) in (list, tuple)]
    return any(isinstance(one, type) and issubclass(one, Document) for one in lists)


def brief_schema(kind: type[Document]) -> Schema:
    """Return the JSON Schema of the brief form, as short as it can be: every client is sent it at each start."""
    properties: Schema = {}
    required: list[str] = []
    for one in brief_fields(kind):
        schema, may_be_left_out = _schema(_type_of(one))
        if one.brief.is_flat:
            properties |= schema["properties"]
            required += schema.get("required", ())
            continue
        if one.brief.number:
            schema["items"]["properties"][one.brief.number] = {"type": "integer"}
        properties[one.name] = schema
        if not (may_be_left_out or one.brief.unless is not UNSET or one.name in required):
            required.append(one.name)
    return _object(properties, required)


def _object(properties: Schema, required: Sequence[str]) -> Schema:
    return {"type": "object", "properties": properties} | ({"required": [*required]} if required else {})


def merge_schemas(schemas: Sequence[Schema]) -> Schema:
    """Return the schema of what one of several describes."""
    first, *others = schemas
    for other in others:
        first = _merged(first, other)
    return first


def _merged(one: Schema, other: Schema) -> Schema:
    if "items" in one and "items" in other:
        return one | {"items": _merged(one["items"], other["items"])}
    if "properties" not in one or "properties" not in other:
        return one
    properties = other["properties"] | one["properties"]
    both = one["properties"].keys() & other["properties"].keys()
    properties |= {name: _merged(one["properties"][name], other["properties"][name]) for name in both}
    both_require = [name for name in one.get("required", ()) if name in other.get("required", ())]
    return _object(properties, both_require)


def _type_of(one: BriefField) -> Any:
    form = one.brief.form
    return get_type_hints(form)["return"] if form is not None and "return" in form.__annotations__ else one.type


def _schema(hint: Any) -> tuple[Schema, bool]:
    """Return the schema of a type, and whether a value of it may be left out."""
    (kind, *_), is_optional = _members(hint)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (list, tuple):
        return {"type": "array", "items": _schema(arguments[0])[0]}, True
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1])[0]}, is_optional
    if isinstance(kind, type) and issubclass(kind, Document):
        form: Any = getattr(kind, "in_brief", None)
        if form is None:
            return brief_schema(kind), is_optional
        text, may_be_null = _schema(get_type_hints(form)["return"])
        return text, is_optional or may_be_null
    return {"type": _TYPES.get(kind, "string")}, is_optional


def _members(hint: Any) -> tuple[list[Any], bool]:
    """Return the types of a union without null, and whether it may be null or missing."""
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    members = get_args(bare) if get_origin(bare) in (Union, UnionType) else (bare,)
    kinds = [one for one in members if one not in (NoneType, UnsetType)]
    return kinds, len(kinds) < len(members)


# Forms of values


def place_of(lines: HasLines) -> str:
    return line_range(lines.path, lines.start_line, lines.end_line)


def line_range(path: str, start_line: int, end_line: int) -> str:
    """Return `path:first-last`, or `path:line`."""
    return f"{path}:{start_line}-{end_line}" if end_line > start_line else f"{path}:{start_line}"


def in_a_line(text: str | None) -> str:
    """Return a text as one line of limited length."""
    line = " ".join((text or "").split())
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def short_commit(commit: str | None) -> str | None:
    return commit and commit[:_COMMIT_DIGITS]


def day(date: str) -> str:
    return date[:_DATE_LENGTH]


COMMIT = Brief(form=short_commit, unless="")
LINE = Brief(form=in_a_line, unless="")
DAY = Brief(form=day, unless="")
