"""The tables of `docs/reference` that are made from types: fields of documents, options of subscriptions; and the page
of the command line, which is made as a whole.

A section whose heading ends with the name of a type, as in "### `EntityDocument`", is made; the rest of a page is
written by hand.
`python tests/reference_pages.py PAGE…` makes the sections anew, as `make docs-reference` does; a test compares them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
from cli_reference import write_cli_page
from msgspec.structs import fields

from birthmark.app.scans.subscriptions import SubscriptionRequest
from birthmark.app.server_part import load_part
from birthmark.documents import (
    anchors,
    answers,
    changes,
    definitions,
    findings,
    index,
    listings,
    parts,
    reviews,
    scans,
    subscriptions,
    uses,
    whole_graph,
)
from birthmark.documents.document import Document, PagedDocument

PAGES = {"cli.md": write_cli_page}  # that are made as a whole
SECTION = re.compile(r"^(### [^`\n]*`(\w+)`\n).*?(?=^#|\Z)", re.M | re.S)
_MODULES = (
    definitions,
    index,
    parts,
    changes,
    anchors,
    answers,
    findings,
    uses,
    whole_graph,
    listings,
    subscriptions,
    scans,
    reviews,
)
_SERVER = ("commands.token_commands", "commands.deliver_command", "serving.many", "serving.hooks")
_MOST_WORDS = 10  # of an enum that are listed in a cell


def write_tables(page: str) -> str:
    """A page with its tables made anew."""
    return SECTION.sub(lambda match: f"{match[1]}\n{_table(match[2])}\n", page).rstrip("\n") + "\n"


def document_names() -> set[str]:
    """Names of all documents and their parts, each of which has a table; a page is a list of one of them."""
    names = {name for name, schema in _schemas().items() if "properties" in schema}
    return {name for name in names - {PagedDocument.__name__} if not name.endswith("Page")}


def _table(name: str) -> str:
    if name == SubscriptionRequest.__name__:
        return _rows("option | field | default | meaning", _option_rows())
    description, base = _schemas()[name]["description"], _base(name)
    own = [*_field_rows(name)]
    if not own:
        return f"{description} It has the fields of `{base}`.\n"
    extends = f" It has the fields of `{base}`, and these:" if base else ""
    return f"{description}{extends}\n\n" + _rows("field | type | meaning", own)


def _base(name: str) -> str | None:
    """The document that this one extends."""
    base = _documents()[name].__base__ if name in _documents() else None
    return base.__name__ if base is not None and base.__name__ in _documents() else None


def _rows(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    rule = "---|" * (head.count("|") + 1)
    return f"| {head} |\n|{rule}\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _field_rows(name: str) -> Iterator[tuple[str, ...]]:
    """Neighbours of one type that need no description share a row."""
    for (kind, description), names in groupby(_fields(name), itemgetter(1, 2)):
        if description:
            yield from ((f"`{field}`", kind, description) for field, _, _ in names)
        else:
            yield ", ".join(f"`{field}`" for field, _, _ in names), kind, ""


def _fields(name: str) -> Iterator[tuple[str, str, str]]:
    schema, base = _schemas()[name], _base(name)
    inherited = _schemas()[base]["properties"] if base else {}
    for field, kind in schema["properties"].items():
        if field in inherited:
            continue
        is_optional = field not in schema["required"] and "default" not in kind
        yield field, _type(kind) + (", optional" if is_optional else ""), kind.get("description", "")


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"]
        words = schema.get("enum", ()) or _schemas()[name].get("enum", ())
        return f"`{' '.join(words)}`" if 0 < len(words) <= _MOST_WORDS else "string" if words else f"`{name}`"
    if "enum" in schema:
        return f"`{' '.join(schema['enum'])}`"
    if "anyOf" in schema:
        return " or ".join(map(_type, schema["anyOf"]))
    if "prefixItems" in schema:
        return f"[{', '.join(map(_type, schema['prefixItems']))}]"
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if schema.get("type") == "object":
        return f"object of {_type(schema.get('additionalProperties', {}))}"
    return str(schema.get("type", "any"))


def _option_rows() -> Iterator[tuple[str, ...]]:
    hints = get_type_hints(SubscriptionRequest, include_extras=True)
    for field in fields(SubscriptionRequest):
        if not field.required:
            default = "null" if field.default is None else str(field.default).lower()
            flag = f"--{'no-' if field.default is True else ''}{field.name.replace('_', '-')}"
            yield f"`{flag}`", f"`{field.name}`", default, get_args(hints[field.name])[1].description


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    return msgspec.json.schema_components(list(_documents().values()), ref_template="{name}")[1]


@cache
def _documents() -> dict[str, type[Document]]:
    kinds = [
        kind
        for module in (*_MODULES, *map(load_part, _SERVER))
        for kind in vars(module).values()
        if isinstance(kind, type)
    ]
    return {kind.__name__: kind for kind in kinds if issubclass(kind, Document) and kind is not Document}


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        write = PAGES.get(path.name)
        path.write_text(write() if write is not None else write_tables(path.read_text("utf-8")), "utf-8")
