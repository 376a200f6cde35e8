"""JSON Schema of what tools take and give, as short as it can be: every client is sent it at each start."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from birthmark.documents.brief import BriefAnswer
from birthmark.surfaces.http.routes.requests import Param
from birthmark.surfaces.mcp.tools import BOOLEAN, ToolSpec

_NEEDLESS = ("title", "default", "description")


def input_schema(tool: ToolSpec) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {param.name: _argument(param) for param in tool.all_params},
        "additionalProperties": False,
    }
    required = [param.name for param in tool.all_params if param.is_required]
    return schema | ({"required": required} if required else {})


def _argument(param: Param) -> dict[str, Any]:
    if param.choices == BOOLEAN:
        schema: dict[str, Any] = {"type": "boolean"}
    elif param.choices:
        schema = {"enum": list(param.choices)}
    else:
        schema = {"type": "string" if param.bounds is None else "integer"}
    return schema | ({"description": param.description} if param.description else {})


@cache
def output_schema(document: type[BriefAnswer]) -> dict[str, Any]:
    """An object, as older clients want it, with the types that it refers to."""
    schema = msgspec.json.schema(document)
    types = {name: _shortened(one) for name, one in schema["$defs"].items()}
    return {**types.pop(document.__name__), "$defs": types}


def _shortened(schema: dict[str, Any]) -> dict[str, Any]:
    fields = {name: _field(field) for name, field in schema["properties"].items()}
    required = schema["required"]
    return {"type": "object", "properties": fields} | ({"required": required} if required else {})


def _field(schema: dict[str, Any]) -> dict[str, Any]:
    """Null is never sent: a field that says nothing is left out."""
    kept = {word: value for word, value in schema.items() if word not in _NEEDLESS}
    either: list[dict[str, Any]] = kept.pop("anyOf", [{}])
    return kept | next(one for one in either if one != {"type": "null"})
