"""Find what once had a name or a path, and has another one now or is deleted.

Takes a NameRef, NamedRef or LinesRef whose path is one of the repository; gives FormerEntities, those that are
present first, then the latest deleted. The ledger has a key for every name that an identity had at every path.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from birthmark.identity.keys import Key, encode_name, parse_key, place_of
from birthmark.queries.past.life import LedgerEvent, Life, read_lives
from birthmark.queries.refs.locate import entity_at_lines
from birthmark.queries.refs.ref_forms import LinesRef, NamedRef, NameRef
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.store.model import Identity, SnapshotEntity


class FormerEntity(NamedTuple):
    """An identity that had the name or path that was asked for; `was` is the last event of which it was true."""

    life: Life
    was: LedgerEvent

    @property
    def identity(self) -> Identity:
        return self.life.identity

    @property
    def last(self) -> LedgerEvent:
        return self.life.last

    @property
    def shown(self) -> SnapshotEntity | None:
        """The entity that has the identity now; `SnapshotView.hold` gives all of it."""
        return self.life.shown


def find_former(
    view: SnapshotView, ref: NameRef | NamedRef | LinesRef, but: Collection[int] = ()
) -> list[FormerEntity]:
    """All but some identities."""
    lives = read_lives(view, _identities(view, ref).difference(but))
    found = [FormerEntity(life, _last_with(life, ref)) for life in lives.values()]
    return sorted(found, key=lambda one: (one.shown is None, -one.last.run.at, one.identity.identity))


def _identities(view: SnapshotView, ref: NameRef | NamedRef | LinesRef) -> set[int]:
    match ref:
        case LinesRef():
            return _at_lines(view, ref)
        case NamedRef(path, name):
            return _named_in(view, name, path)
        case NameRef(name):
            return _named(_keys_with(view, name), name)


def _at_lines(view: SnapshotView, ref: LinesRef) -> set[int]:
    """What was at some lines of a file, as it was last."""
    for version in view.store.versions_of(ref.path) if 1 <= ref.first <= ref.last else ():
        file = view.at_version(version.version)
        if file is not None:
            ordinal = entity_at_lines(file.outline.entities, ref.first, ref.last)
            return {version.identities[ordinal]} if ordinal is not None else set()
    return set()


def _named_in(view: SnapshotView, name: str, path: str) -> set[int]:
    """Those that had the name in that file; else those that had the name, and were in that file at another time."""
    place, rows = place_of(path), _keys_with(view, name)
    in_place = _named([row for row in rows if row[1].place == place], name)
    if in_place or not rows:
        return in_place
    keys = view.store.keys_of({identity for identity, _ in rows})
    were_there = {key.identity for key in keys if key.semantic_path.endswith(f":{place}")}
    return _named([row for row in rows if row[0] in were_there], name)


def _keys_with(view: SnapshotView, name: str) -> list[tuple[int, Key]]:
    """Identities, and keys of them with the name or its end: a name may have dots in it."""
    endings = [name[i:] for i in range(len(name)) if i == 0 or name[i - 1] == "."]
    rows = view.store.keys_named([encode_name(ending) for ending in endings])
    return [(row.identity, key) for row in rows if (key := parse_key(row.text)) is not None]


def _named(rows: list[tuple[int, Key]], name: str) -> set[int]:
    """The identities that had a qualified name, else a simple one."""
    qualified = {identity for identity, key in rows if key.qualified_name == name}
    return qualified or {identity for identity, key in rows if key.name == name}


def _last_with(life: Life, ref: NameRef | NamedRef | LinesRef) -> LedgerEvent:
    """The last event after which it had the name, in the file if that is known; else the birth."""
    path = None if isinstance(ref, NameRef) else ref.path
    name = None if isinstance(ref, LinesRef) else ref.name if isinstance(ref, NameRef) else ref.qualified_name

    def fits(one: LedgerEvent, in_file: bool) -> bool:
        event = one.event
        is_named = name is None or name in (event.qualified_name, event.qualified_name.rpartition(".")[2])
        return is_named and (not in_file or path is None or event.path == path)

    fitting = [[one for one in life.events if fits(one, in_file)] for in_file in (True, False)]
    return (fitting[0] or fitting[1] or life.events)[-1]
