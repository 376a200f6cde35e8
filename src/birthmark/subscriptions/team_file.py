"""Store subscriptions as text in `birthmark.toml`, for a team to review and merge.

Each is one table of its own, a line a value, in the order of their ids; the rest of the file stays as it was written.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import Subscription

_HEADER = re.compile(r"^\[subscriptions\.(?P<id>[\w-]+)\]\s*(#.*)?$")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # as TOML has them, which knows fewer line ends than `splitlines`
_COMMENT = re.compile(r"(?:(?<=\n)|\A)(?:#[^\n]*\n)+\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_team(text: str, path: str) -> list[Subscription]:
    """All subscriptions of a file."""
    try:
        tables = tomllib.loads(text).get("subscriptions", {})
    except tomllib.TOMLDecodeError as error:
        raise BirthmarkError(f"{path}: {error}; correct that entry, or subscribe again") from error
    if not isinstance(tables, dict):
        raise BirthmarkError(f"{path}: `subscriptions` must be tables, [subscriptions.ID] each; correct that")
    return [_read_entry(id_, table, path) for id_, table in sorted(tables.items())]


def _read_entry(id_: str, table: object, path: str) -> Subscription:
    try:
        return msgspec.convert({**table, "id": id_} if isinstance(table, dict) else table, Subscription)
    except msgspec.ValidationError as error:
        raise BirthmarkError(f"{path}: subscriptions.{id_}: {error}; correct that entry, or subscribe again") from error


def write_team(text: str, path: str, changed: Iterable[Subscription], deleted: Iterable[str] = ()) -> str:
    """The text with some subscriptions added or replaced, and some taken out."""
    read_team(text, path)
    eol = "\r\n" if "\r\n" in text else "\n"
    blocks = list(_blocks(text))
    entries = {id_: block for id_, block in blocks if id_ is not None}
    entries |= {one.id: _comments(entries.get(one.id, "")) + _entry(one).replace("\n", eol) for one in changed}
    for id_ in deleted:
        entries.pop(id_, None)
    rest = "".join(block for id_, block in blocks if id_ is None)
    parts = [part.strip("\r\n") + eol for part in (rest, *(entries[id_] for id_ in sorted(entries))) if part.strip()]
    return _checked(eol.join(parts), text, path, entries.keys())


def _checked(written: str, text: str, path: str, ids: Collection[str]) -> str:
    """What was written, if it says of all else what the text did."""
    try:
        is_safe = _foreign(written) == _foreign(text) and {one.id for one in read_team(written, path)} == set(ids)
    except (tomllib.TOMLDecodeError, BirthmarkError):
        is_safe = False
    if not is_safe:
        raise BirthmarkError(f"{path}: cannot be changed safely; write each subscription as [subscriptions.ID]")
    return written


def _blocks(text: str) -> Iterator[tuple[str | None, str]]:
    """The text in pieces: our entries with their ids, and all else. The comment above a table belongs to it."""
    id_, block = None, ""
    for line in _LINE.findall(text):
        if line.startswith("["):
            header, comment = _HEADER.match(line.rstrip()), _COMMENT.search(block)
            above = comment[0] if comment else ""
            yield id_, block.removesuffix(above)
            id_, block = (header["id"] if header else None), above
        block += line
    yield id_, block


def _comments(block: str) -> str:
    """The comment above an entry."""
    return block[: block.index("[")] if block.startswith("#") else ""


def _foreign(text: str) -> dict[str, object]:
    return {name: table for name, table in tomllib.loads(text).items() if name != "subscriptions"}


def _entry(subscription: Subscription) -> str:
    values = {"ref": subscription.ref} | msgspec.to_builtins(subscription)
    del values["id"]
    lines = [f"{key} = {value}" for key, value in _flatten(values, "")]
    return "\n".join([f"[subscriptions.{subscription.id}]", *lines]) + "\n"


def _flatten(values: dict[str, object], prefix: str) -> Iterator[tuple[str, str]]:
    """Dotted keys with values; what is null is left out."""
    for name, value in values.items():
        key = prefix + (name if _BARE.fullmatch(name) else _string(name))
        if isinstance(value, dict):
            yield from _flatten(value, f"{key}.")
        elif value is not None:
            yield key, _value(value)


def _value(value: object) -> str:
    if isinstance(value, dict):
        pairs = [f"{key if _BARE.fullmatch(key) else _string(key)} = {_value(v)}" for key, v in value.items()]
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (list, tuple)):
        if not any(isinstance(item, dict) for item in value):
            return f"[{', '.join(_value(item) for item in value)}]"
        return "[\n" + "".join(f"  {_value(item)},\n" for item in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return _string(value) if isinstance(value, str) else str(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
