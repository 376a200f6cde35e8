"""Texts of manifests as plain values.

Whatever is broken, too large or of another shape than expected gives an empty value, never an error: a manifest is
there to help, and its own tools complain about it.
"""

from __future__ import annotations

import configparser
import re
from posixpath import join, normpath
from typing import Any
from xml.etree.ElementTree import Element, ParseError, fromstring

import msgspec

from birthmark import decoding

MOST_CHARACTERS = 1 << 18  # of a manifest; a larger one is ignored
_MOST_LINES = 5_000  # of an INI file: the error about broken lines is copied for each of them
Table = dict[str, Any]

_JSON_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*+"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.S)
_JSON_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*[}\]])', re.S)
_BROKEN = (ValueError, RecursionError, MemoryError)  # `msgspec` and `tomllib` raise kinds of ValueError


def read_json(text: str) -> Table:
    """JSON, maybe with comments and trailing commas."""
    text = _bounded(text)
    try:
        return table_of(msgspec.json.decode(text))
    except _BROKEN:
        pass
    try:
        bare = _JSON_COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)
        return table_of(msgspec.json.decode(_JSON_COMMA.sub(lambda found: found[0].rstrip(","), bare)))
    except _BROKEN:
        return {}


def read_toml(text: str) -> Table:
    try:
        return table_of(decoding.read_toml(_bounded(text)))
    except _BROKEN:
        return {}


def read_ini(text: str) -> Table:
    """Sections with their options. No section has defaults: copies of them for each could fill the memory."""
    parser = configparser.ConfigParser(interpolation=None, strict=False, default_section="")
    try:
        parser.read_string(_bounded(text) if text.count("\n") <= _MOST_LINES else "")
        return {section: dict(parser.items(section)) for section in parser.sections()}
    except (configparser.Error, *_BROKEN):
        return {}


def read_xml(text: str) -> Element | None:
    """The root, with names without their namespaces; None for what defines entities, which no manifest needs."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return None
    try:
        root = fromstring(_bounded(text))  # noqa: S314 - nothing in it is expanded
    except (ParseError, *_BROKEN):
        return None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    return root


def table_of(value: object) -> Table:
    return {key: part for key, part in value.items() if isinstance(key, str)} if isinstance(value, dict) else {}


def inner_table(value: object, *keys: str) -> Table:
    """The table that is inside of tables under these keys."""
    for key in keys:
        value = table_of(value).get(key)
    return table_of(value)


def text_of(value: object) -> str:
    return value if isinstance(value, str) else ""


def texts_of(value: object) -> list[str]:
    """A text, or those in a list."""
    values = value if isinstance(value, list) else [value]
    return [one for one in values if isinstance(one, str) and one]


def place_in(folder: str, written: str) -> str | None:
    """The path of what is written relative to a folder; None where that is outside of the repository."""
    path = normpath(join(folder or ".", written.strip().removeprefix("file://"))).removeprefix("./")
    if written.startswith("/") or path == ".." or path.startswith("../"):
        return None
    return "" if path == "." else path


def _bounded(text: str) -> str:
    return text.removeprefix("\ufeff") if len(text) <= MOST_CHARACTERS else ""
