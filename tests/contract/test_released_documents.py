"""A field may be added, never renamed: what read the documents of the first release reads those of today.

`released_documents.json` has the fields of that release with the JSON types that each could have.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import reference_pages

from birthmark.documents.document import Document

RELEASED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("released_documents.json").read_text("utf-8"))
RENAMED = {  # The names of types are in OpenAPI and in the reference, but in no document.
    "IdentityDocument": "CandidateDocument",  # has more fields
    "Hunk": "ChangedLinesDocument",  # was a type of the engine, as those below
    "Anchors": "AnchorsDocument",
    "Proposal": "ProposalDocument",
    "DocLink": "DocLinkDocument",
}

UNASKED = {  # Nodes are made when they are asked for, so that how many of them collide is null before.
    "CollisionsDocument": {"nodes", "nodes_widened", "nodes_counted"},
}


def test_every_document_of_the_release_is_documented() -> None:
    assert {RENAMED.get(name, name) for name in RELEASED} <= reference_pages.document_names()


@pytest.mark.parametrize("name", RELEASED)
def test_fields_keep_their_names_and_types(name: str) -> None:
    """A type may become narrower: what could be null is known."""
    schema = schemas()[RENAMED.get(name, name)]
    found = {field: types(schema, field) for field in schema["properties"]}
    wider = {field: found.get(field) for field, known in RELEASED[name].items() if not is_within(found, field, known)}
    assert wider == {field: {"integer", "null"} for field in UNASKED.get(name, ())}


def is_within(found: dict[str, set[str]], field: str, known: str) -> bool:
    return field in found and found[field] <= set(known.split())


def types(schema: dict[str, Any], field: str) -> set[str]:
    kind = schema["properties"][field]
    is_optional = field not in schema["required"] and "default" not in kind
    return types_of(kind) | ({"missing"} if is_optional else set())


def types_of(kind: dict[str, Any]) -> set[str]:
    if "anyOf" in kind:
        return set().union(*map(types_of, kind["anyOf"]))
    if "$ref" in kind:
        return {"string" if "enum" in schemas()[kind["$ref"]] else "object"}
    return {kind["type"]}


@cache
def schemas() -> dict[str, dict[str, Any]]:
    return msgspec.json.schema_components(documents(Document), ref_template="{name}")[1]


def documents(kind: type[Document]) -> list[type[Document]]:
    return [one for below in kind.__subclasses__() for one in (below, *documents(below))]
