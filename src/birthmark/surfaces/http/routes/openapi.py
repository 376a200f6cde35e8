"""The description of all routes as OpenAPI 3.1, made from their table and from the types of bodies and answers."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from birthmark import __version__
from birthmark.documents.document import ErrorDocument
from birthmark.documents.index import IndexChangeDocument
from birthmark.surfaces.arguments import MAX_LENGTH, Param
from birthmark.surfaces.formats.atom import MEDIA_TYPE
from birthmark.surfaces.http.access.token import ALL_FEED, FEED
from birthmark.surfaces.http.errors import PROBLEM, STATUSES
from birthmark.surfaces.http.routes.feeds import ID, KEY
from birthmark.surfaces.http.routes.routes import DESCRIPTION, EVENTS, PREFIX, ROUTES, Route

_REFERENCE = "#/components/schemas/{name}"
_JSON = "application/json"


@cache
def describe_routes() -> dict[str, Any]:
    paths: dict[str, dict[str, object]] = {}
    for route in ROUTES:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(route)
    paths[DESCRIPTION] = {"get": _own_operation()}
    paths[EVENTS] = {"get": _event_operation()}
    paths[ALL_FEED] = {"get": _feed_operation("all_feed", "What scans have reported, as an Atom feed.", KEY)}
    paths[FEED] = {"get": _feed_operation("feed", "The same of one subscription.", KEY, ID)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "birthmark", "version": __version__, "license": {"name": "MIT", "identifier": "MIT"}},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": _answers() | _bodies(),
            "responses": {"Error": _error()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> dict[str, object]:
    described: dict[str, object] = {
        "operationId": route.name,
        "summary": route.summary,
        "responses": _responses(route.statuses, route.summary, _schema(route)),
    }
    if route.params:
        described["parameters"] = [_parameter(param) for param in route.params]
    if route.body is not None:
        content = {_JSON: {"schema": {"$ref": _reference(route.body)}}}
        described["requestBody"] = {"required": _needs_body(route.body), "content": content}
    return described


def _schema(route: Route) -> dict[str, object]:
    references: list[dict[str, object]] = [{"$ref": _reference(document)} for document in route.documents]
    return references[0] if len(references) == 1 else {"anyOf": references}


def _own_operation() -> dict[str, object]:
    summary = "This description."
    return {"operationId": "describe", "summary": summary, "responses": _responses((200,), summary, {"type": "object"})}


def _event_operation() -> dict[str, object]:
    summary = "Server-sent events: `index` when the index was updated, with an IndexChangeDocument each."
    answer = {"description": summary, "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    responses = {"200": answer, "default": {"$ref": "#/components/responses/Error"}}
    return {"operationId": "events", "summary": summary, "responses": responses}


def _feed_operation(name: str, summary: str, *params: Param) -> dict[str, object]:
    answer = {"description": summary, "content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}
    unchanged = {"description": "It is as the ETag in If-None-Match says."}
    responses = {"200": answer, "304": unchanged, "default": {"$ref": "#/components/responses/Error"}}
    parameters = [_parameter(param) for param in params]
    return {"operationId": name, "summary": summary, "parameters": parameters, "responses": responses}


def _responses(statuses: tuple[int, ...], summary: str, schema: dict[str, object]) -> dict[str, object]:
    answer = {"description": summary, "content": {_JSON: {"schema": schema}}}
    return {**{str(status): answer for status in statuses}, "default": {"$ref": "#/components/responses/Error"}}


def _parameter(param: Param) -> dict[str, object]:
    described: dict[str, object] = {
        "name": param.name,
        "in": param.location,
        "required": param.is_required,
        "description": param.description,
        "schema": _value_schema(param),
    }
    return described | ({"style": "form", "explode": False} if param.is_list else {})


def _value_schema(param: Param) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string", "maxLength": MAX_LENGTH, "pattern": r"^[^\x00]*$"}
    if param.bounds is not None:
        schema = {"type": "integer", "minimum": param.bounds[0], "maximum": param.bounds[1]}
    elif words := param.choices or param.words:
        schema = {"type": "string", "enum": list(words)}
    elif param.is_required:
        schema["minLength"] = 1
    if param.is_list:
        schema = {"type": "array", "items": schema}
    if param.default is not None:
        schema["default"] = str(param.default).split(",") if param.is_list else param.default
    return schema


def _needs_body(body: type[msgspec.Struct]) -> bool:
    return any(field.required for field in msgspec.structs.fields(body))


def _bodies() -> dict[str, Any]:
    return _components([route.body for route in ROUTES if route.body is not None])


def _answers() -> dict[str, Any]:
    """Answers have all their fields, also those that have defaults in requests."""
    answers = (document for route in ROUTES for document in route.documents)
    components = _components([ErrorDocument, IndexChangeDocument, *answers])
    for schema in components.values():
        for name, field in schema.get("properties", {}).items():
            if "default" in field:
                del field["default"]
                schema["required"].append(name)
    return components


def _components(types: list[type[msgspec.Struct]]) -> dict[str, Any]:
    return msgspec.json.schema_components(types, ref_template=_REFERENCE)[1]


def _reference(kind: type[msgspec.Struct]) -> str:
    return _REFERENCE.format(name=kind.__name__)


def _error() -> dict[str, object]:
    codes = ", ".join(f"{status} {code}" for code, status in STATUSES.items())
    schema = {"$ref": _reference(ErrorDocument)}
    return {"description": f"No answer: {codes}.", "content": {PROBLEM: {"schema": schema}}}
