"""The description of all that can be asked, as OpenAPI 3.1, made from the table of routes."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from birthmark import __version__
from birthmark.surfaces.http.errors import STATUSES
from birthmark.surfaces.http.requests import Param
from birthmark.surfaces.http.routes import DESCRIPTION, PREFIX, ROUTES, Route
from birthmark.surfaces.http.schemas import schemas

_REFERENCE = "#/components/schemas/{name}"
_JSON = "application/json"


@cache
def describe_routes() -> dict[str, Any]:
    paths: dict[str, dict[str, object]] = {}
    for route in ROUTES:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(route)
    paths[DESCRIPTION] = {"get": _own_operation()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "birthmark", "version": __version__, "license": {"name": "MIT", "identifier": "MIT"}},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas() | _bodies(),
            "responses": {"Error": _error()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> dict[str, object]:
    described: dict[str, object] = {
        "operationId": route.work.__name__,
        "summary": route.about,
        "responses": _responses(route.status, route.about, {"$ref": _REFERENCE.format(name=route.answer)}),
    }
    if route.params:
        described["parameters"] = [_parameter(param) for param in route.params]
    if route.body is not None:
        content = {_JSON: {"schema": {"$ref": _REFERENCE.format(name=route.body.__name__)}}}
        described["requestBody"] = {"required": _needs_body(route.body), "content": content}
    return described


def _own_operation() -> dict[str, object]:
    about = "This description."
    return {"operationId": "describe", "summary": about, "responses": _responses(200, about, {"type": "object"})}


def _responses(status: int, about: str, schema: dict[str, object]) -> dict[str, object]:
    answer = {"description": about, "content": {_JSON: {"schema": schema}}}
    return {str(status): answer, "default": {"$ref": "#/components/responses/Error"}}


def _parameter(param: Param) -> dict[str, object]:
    schema: dict[str, object] = {"type": "string"}
    if param.bounds is not None:
        schema = {"type": "integer", "minimum": param.bounds[0], "maximum": param.bounds[1]}
    if param.default is not None:
        schema["default"] = param.default
    return {
        "name": param.name,
        "in": param.place,
        "required": param.is_required,
        "description": param.about,
        "schema": schema,
    }


def _needs_body(body: type[msgspec.Struct]) -> bool:
    return any(field.required for field in msgspec.structs.fields(body))


def _bodies() -> dict[str, Any]:
    bodies = [route.body for route in ROUTES if route.body is not None]
    _, components = msgspec.json.schema_components(bodies, ref_template=_REFERENCE)
    return components


def _error() -> dict[str, object]:
    told = ", ".join(f"{status} {code}" for code, status in STATUSES.items())
    schema = {"$ref": _REFERENCE.format(name="Error")}
    return {"description": f"No answer: {told}.", "content": {_JSON: {"schema": schema}}}
