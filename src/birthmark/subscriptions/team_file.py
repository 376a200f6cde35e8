"""Store subscriptions and notes as text in `birthmark.toml`, for a team to review and merge.

Each is one table of its own, a line a value; subscriptions come first, then notes, each in the order of their ids. The
rest of the file stays as it was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

import msgspec

from birthmark.decoding import prepared, read_toml
from birthmark.errors import BirthmarkError
from birthmark.model import Problem
from birthmark.store.model import DocumentTable
from birthmark.subscriptions.model import Subscription
from birthmark.subscriptions.notes import Note
from birthmark.subscriptions.patterns import read_pattern
from birthmark.vocabulary import SubscriptionTarget

TeamItem = TypeVar("TeamItem", Subscription, Note)
_TABLES = {Subscription: DocumentTable.SUBSCRIPTIONS, Note: DocumentTable.NOTES}
_AGAIN = {DocumentTable.SUBSCRIPTIONS: "subscribe again", DocumentTable.NOTES: "write the note again"}
_HEADER = re.compile(rf"^\[(?P<table>{'|'.join(_AGAIN)})\.(?P<id>[\w-]+)\]\s*(#.*)?$")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # as TOML has them, which knows fewer line ends than `splitlines`
_COMMENT = re.compile(r"(?:(?<=\n)|\A)(?:#[^\n]*\n)+\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


TeamEntry = tuple[DocumentTable, str]  # the table and id of an entry in the file


def table_of(kind: type[Subscription | Note]) -> DocumentTable:
    return _TABLES[kind]


class TeamItems(NamedTuple, Generic[TeamItem]):
    """The subscriptions or notes of a file, and what is wrong with entries that cannot be read."""

    items: list[TeamItem]
    problems: list[Problem]


def read_team(text: str, path: str, kind: type[TeamItem]) -> TeamItems[TeamItem]:
    """All subscriptions, or all notes, of a file."""
    table = table_of(kind)
    try:
        entries = read_toml(text).get(table, {})
    except ValueError as error:
        raise BirthmarkError(f"{path}: {error}; correct that entry, or {_AGAIN[table]}") from error
    if not isinstance(entries, dict):
        raise BirthmarkError(f"{path}: `{table}` must be tables, [{table}.ID] each; correct that")
    items, problems = list[TeamItem](), list[Problem]()
    for id_, values in sorted(entries.items()):
        try:
            items.append(_read_entry((table, id_), values, path, kind))
        except BirthmarkError as error:
            problems.append(Problem(path, str(error).removeprefix(f"{path}: ")))
    return TeamItems(items, problems)


def _read_entry(entry: TeamEntry, values: object, path: str, kind: type[TeamItem]) -> TeamItem:
    table, id_ = entry
    if isinstance(values, dict) and "repository" in values:
        what = "is about another repository, which a team's file must not name"
        raise BirthmarkError(f"{path}: {table}.{id_}: {what}; delete that entry, and subscribe yourself")
    try:
        return msgspec.convert({**values, "id": id_} if isinstance(values, dict) else values, prepared(kind))
    except msgspec.ValidationError as error:
        advice = f"correct that entry, or {_AGAIN[table]}"
        raise BirthmarkError(f"{path}: {table}.{id_}: {error}; {advice}") from error


def find_problem(subscription: Subscription) -> str | None:
    """Return why a subscription cannot be compared; its file may have been written by hand."""
    accepted = subscription.accepted
    if subscription.target is SubscriptionTarget.PATTERN:
        return _find_pattern_problem(subscription.ref)
    if not accepted.path:
        return "`accepted.path` is missing"
    if not 1 <= accepted.start_line <= accepted.end_line:
        return f"the accepted lines {accepted.start_line}-{accepted.end_line} are no lines of a file"
    if subscription.target is SubscriptionTarget.LINES:
        return None if accepted.anchors is not None else "`accepted.anchors` is missing"
    return None if accepted.semantic is not None else "`accepted.semantic` is missing"


def _find_pattern_problem(ref: str) -> str | None:
    try:
        read_pattern(ref)
    except BirthmarkError as error:
        return str(error)
    return None


def write_team(
    text: str, path: str, changed: Iterable[Subscription | Note], deleted: Iterable[Subscription | Note] = ()
) -> str:
    """The text with some subscriptions and notes added or replaced, and some taken out."""
    _entries_in(text, path)
    eol = "\r\n" if "\r\n" in text else "\n"
    blocks = list(_blocks(text))
    entries = {entry: block for entry, block in blocks if entry is not None}
    for one in changed:
        entries[_known_by(one)] = _comments(entries.get(_known_by(one), "")) + _write_entry(one).replace("\n", eol)
    for one in deleted:
        entries.pop(_known_by(one), None)
    rest = "".join(block for entry, block in blocks if entry is None)
    ordered = [entries[entry] for entry in sorted(entries, key=_order)]
    written = eol.join(part.strip("\r\n") + eol for part in (rest, *ordered) if part.strip())
    return _checked(written, text, path, set(entries))


def _known_by(item: Subscription | Note) -> TeamEntry:
    return table_of(type(item)), item.id


def _order(entry: TeamEntry) -> tuple[int, str]:
    return list(_AGAIN).index(entry[0]), entry[1]


def _entries_in(text: str, path: str) -> set[TeamEntry]:
    """Return the entries of a file; raise an error if one is invalid."""
    team, notes = read_team(text, path, Subscription), read_team(text, path, Note)
    for problem in (*team.problems, *notes.problems):
        raise BirthmarkError(f"{path}: {problem.problem}")
    items: list[Subscription | Note] = [*team.items, *notes.items]
    return {_known_by(item) for item in items}


def _checked(written: str, text: str, path: str, entries: set[TeamEntry]) -> str:
    """Return the written text; raise an error if it changes anything but the entries."""
    try:
        is_safe = _foreign(written) == _foreign(text) and _entries_in(written, path) == entries
    except (ValueError, BirthmarkError):
        is_safe = False
    if not is_safe:
        forms = " or ".join(f"[{table}.ID]" for table in _AGAIN)
        raise BirthmarkError(f"{path}: cannot be changed safely; write each entry as {forms}")
    return written


def _blocks(text: str) -> Iterator[tuple[TeamEntry | None, str]]:
    """The text in pieces: our entries, and all else. The comment above a table belongs to it."""
    entry: TeamEntry | None = None
    block = ""
    for line in _LINE.findall(text):
        if line.startswith("["):
            header, comment = _HEADER.match(line.rstrip()), _COMMENT.search(block)
            above = comment[0] if comment else ""
            yield entry, block.removesuffix(above)
            entry, block = ((DocumentTable(header["table"]), header["id"]) if header else None), above
        block += line
    yield entry, block


def _comments(block: str) -> str:
    """The comment above an entry."""
    return block[: block.index("[")] if block.startswith("#") else ""


def _foreign(text: str) -> dict[str, object]:
    return {name: table for name, table in read_toml(text).items() if name not in _AGAIN}


def _write_entry(item: Subscription | Note) -> str:
    """Return the table of an entry; its REF or text comes first."""
    values = msgspec.to_builtins(item)
    del values["id"]
    first = "text" if isinstance(item, Note) else "ref"
    lines = [f"{key} = {value}" for key, value in _flatten({first: values[first]} | values, "")]
    return "\n".join([f"[{'.'.join(_known_by(item))}]", *lines]) + "\n"


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
