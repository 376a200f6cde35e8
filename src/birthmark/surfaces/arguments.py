"""The arguments of a request over HTTP or by an agent: parameters by their table, and the questions they ask."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec import UNSET
from msgspec.structs import FieldInfo, asdict

from birthmark.questions.question import Parameter, Question, QuestionType, make_question, parameters_of
from birthmark.surfaces.request_error import RequestError

_NUMBER = re.compile(r"[0-9]{1,15}")
MAX_LENGTH = 4096


class Param(NamedTuple):
    """A value in the query, or in the path of a route; one that is a number has bounds."""

    name: str
    description: str
    is_required: bool = False
    bounds: tuple[int, int] | None = None
    default: int | str | None = None
    location: str = "query"
    choices: tuple[str, ...] = ()
    is_list: bool = False  # joined by commas
    words: tuple[str, ...] = ()  # of which there are no others, though only the question checks it


def params_of(question: type[Question], path: str = "") -> tuple[Param, ...]:
    """Return the parameters of a question in the query and the path of its route."""
    in_path = set(re.findall(r"\{(\w+)\}", path))
    in_body = {field.name for field in _body_fields(question)} if question.body else set()
    shown = [one for one in parameters_of(question) if not one.extra.get("local") and one.name not in in_body]
    found = [param_of(one)._replace(location="path") if one.name in in_path else param_of(one) for one in shown]
    return (*found, REFRESH) if question.refreshes else tuple(found)


@cache
def body_of(question: type[Question]) -> type[msgspec.Struct] | None:
    """Return the type of the JSON body, which has the fields that are neither in the query nor in the path."""
    if not question.body:
        return None
    hints = get_type_hints(question, include_extras=True)
    fields = [(field.name, hints[field.name], field.default) for field in _body_fields(question)]
    summary = {"__doc__": (question.__doc__ or "").partition("\n")[0]}
    return msgspec.defstruct(
        question.body, fields, frozen=True, kw_only=True, forbid_unknown_fields=True, namespace=summary
    )


def _body_fields(question: type[Question]) -> list[FieldInfo]:
    elsewhere = {*question.in_query, *re.findall(r"\{(\w+)\}", question.route or "")}
    elsewhere |= {one.name for one in parameters_of(question) if one.extra.get("local")}
    return [field for field in msgspec.structs.fields(question) if field.name not in elsewhere]


def question_of(
    kind: type[QuestionType], values: Mapping[str, Any], body: msgspec.Struct | None = None
) -> QuestionType:
    """Return the question that a request asks, with its defaults for what is not given."""
    lists = {one.name for one in parameters_of(kind) if one.is_list}
    names = kind.__struct_fields__
    given = {name: value for name, value in values.items() if name in names}
    split = {name: split_list(value) if name in lists else value for name, value in given.items()}
    sent = {} if body is None else {name: value for name, value in asdict(body).items() if value is not UNSET}
    return make_question(kind, split | sent)


def split_list(text: str) -> list[str]:
    return [value for value in text.split(",") if value]


def param_of(parameter: Parameter) -> Param:
    name, description, is_required = parameter.name, parameter.description, parameter.is_required
    if parameter.kind is bool:
        is_on = str(parameter.default).lower()
        return Param(name, parameter.extra.get("true", description), default=is_on, choices=("true", "false"))
    if parameter.is_list:
        description = f"{description.removesuffix('.')}, joined by commas."
        given = ",".join(parameter.default or ()) or None
        words = parameter.choices or parameter.extra.get("words", ())
        return Param(name, description, is_required, None, given, "query", parameter.choices, True, words)
    if name == "limit" and parameter.default is None:
        return LIMIT
    if parameter.kind in (int, float):
        bounds = math.ceil(parameter.least or 0), int(parameter.most or 0)
        number = None if parameter.default is None else int(parameter.default)
        return Param(name, description, is_required, bounds, number)
    return Param(name, description, is_required, None, parameter.default or None, choices=parameter.choices)


LIMIT = Param("limit", "Rows at most.", bounds=(1, 10_000), default=1_000)
OFFSET = Param("offset", "Rows to skip: `next` of the page before.", bounds=(0, 10**12), default=0)
REFRESH = Param("refresh", "Bring the index up to date first.", default="true", choices=("true", "false"))


def read_values(params: Sequence[Param], query: Sequence[tuple[str, str]], path: Mapping[str, str]) -> dict[str, Any]:
    known = {param.name for param in params if param.location == "query"}
    given: dict[str, str] = dict(path)
    listed = f"there are {', '.join(sorted(known))}" if known else "there are none here"
    for name, text in query:
        if name not in known:
            raise RequestError("bad_request", f"{name}: there is no such parameter; {listed}")
        if name in given:
            raise RequestError("bad_request", f"{name}: is given twice")
        given[name] = text
    values = {param.name: _read(param, given.get(param.name)) for param in params}
    return {name: value for name, value in values.items() if value is not None}


def _read(param: Param, text: str | None) -> str | int | None:
    """An empty value is the same as none, but for one of a few words."""
    if text is None or (not text and (param.is_required or param.is_list or not param.choices)):
        if param.is_required:
            raise RequestError("bad_request", f"{param.name}: is missing; {param.description}")
        return param.default
    if param.choices and not set(split_list(text) if param.is_list else [text]) <= set(param.choices):
        words = f"among {', '.join(param.choices)}" if param.is_list else " or ".join(param.choices)
        raise RequestError("bad_request", f"{param.name}: must be {words}")
    if param.bounds is None:
        if "\0" in text or len(text) > MAX_LENGTH:
            raise RequestError("bad_request", f"{param.name}: cannot be a name")
        return text
    least, most = param.bounds
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise RequestError("bad_request", f"{param.name}: must be a number from {least} to {most}")
    return int(text)
