"""Look up a REF in the ledger and the snapshot, now or at any time before.

Takes a parsed Ref that names no path and gives its RefMatches: several if it is ambiguous, none if it is unknown. An id
that was issued once is always found: the ledger has all marks and keys; semantic ids and chunk uids name their file,
whose versions are searched from the newest to the oldest. Former names and paths give FormerEntities, present ones
first, then the latest deleted: the ledger has a key for every name that an identity had at every path.

`locate_all` and `locate_nearest` take a REF that names a path of a repository, and look it up in a RepositoryState.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from birthmark.errors import NotFoundError
from birthmark.extraction.model import FileNodes, Outline, OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.graph.name_tables import functions_of_signatures, owners_with_role
from birthmark.identity.keys import Key, encode_name, parse_key, place_of
from birthmark.identity.semantic_ids import EXTERNAL, parse_semantic_id
from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE, Chunk, Entity, Level, Location, Node
from birthmark.queries.life import LedgerEvent, Life, read_lives
from birthmark.queries.missing import no_such_file, no_such_lines, no_such_name_in, title_of
from birthmark.queries.names import Lookup, lookup_in, pick_exact, pick_named, read_name
from birthmark.queries.ref_forms import (
    ChunkUidRef,
    KeyRef,
    LinesRef,
    MarkRef,
    NamedRef,
    NameRef,
    Ref,
    SemanticIdRef,
)
from birthmark.queries.snapshot_view import IndexedFile, SnapshotView
from birthmark.store.model import Identity, SnapshotEntity

ReadNodes = Callable[[IndexedFile], FileNodes | None]  # None where neither nodes nor source are stored


class RefMatch(NamedTuple):
    """The target of a REF: an identity, a node or a chunk, at a version of a file."""

    identity: int | None = None
    file: IndexedFile | None = None
    ordinal: int = -1
    node: Node | None = None
    chunk: Chunk | None = None


class RefMatches(NamedTuple):
    """The possible targets of a REF."""

    matches: list[RefMatch]
    is_external: bool = False
    inherited_by: str | None = None  # the class in the REF, which has the definition from a base

    @property
    def identities(self) -> list[int]:
        return list(dict.fromkeys(match.identity for match in self.matches if match.identity is not None))


def find_ref(view: SnapshotView, ref: Ref, read_nodes: ReadNodes) -> RefMatches:
    """Return the targets of a REF; one that is no id is a name."""
    match ref:
        case MarkRef(mark):
            return RefMatches([RefMatch(found.identity) for found in view.store.identities_marked([mark])])
        case KeyRef(key):
            return RefMatches(_by_key(view, key))
        case ChunkUidRef():
            return RefMatches(_by_chunk_uid(view, ref))
        case SemanticIdRef(semantic_id):
            return _by_semantic_id(view, semantic_id, read_nodes)
        case _:
            return RefMatches(_by_name(view, str(ref)))


def _by_key(view: SnapshotView, key: str) -> list[RefMatch]:
    parts = parse_key(key)
    assert parts is not None
    rows = view.store.keys_at([parts.semantic_path])
    return [RefMatch(row.identity) for row in rows if row.birth == parts.birth]


def _by_chunk_uid(view: SnapshotView, ref: ChunkUidRef) -> list[RefMatch]:
    for file in _versions(view, ref.path):
        if ref.uid in file.outline.chunk_uids:
            chunk = file.outline.chunks[file.outline.chunk_uids.index(ref.uid)]
            identity = file.version.identities[chunk.entity] if chunk.entity >= 0 else None
            return [RefMatch(identity, file, chunk.entity, chunk=chunk)]
    return []


def _by_semantic_id(view: SnapshotView, semantic_id: str, read_nodes: ReadNodes) -> RefMatches:
    parts = parse_semantic_id(semantic_id)
    assert parts is not None
    if parts.type == EXTERNAL:
        from birthmark.queries.snapshot_graph import SnapshotGraph  # It brings all of the graph along.

        return RefMatches([], SnapshotGraph(view.store, view.number).has_receiver(parts.name))
    path = parts.file.partition("#seg:")[0]
    for file in _versions(view, path):
        if semantic_id in file.outline.semantic_ids:
            ordinal = file.outline.semantic_ids.index(semantic_id)
            return RefMatches([RefMatch(file.version.identities[ordinal], file, ordinal)])
    for file in _versions(view, path):
        source = view.source(file.version)
        if source is None or (parts.name.isidentifier() and parts.name.encode() not in source):
            continue
        file_nodes = read_nodes(file)
        if file_nodes is not None and semantic_id in file_nodes.semantic_ids:
            return RefMatches([_match_node(file, file_nodes, file_nodes.semantic_ids.index(semantic_id))])
    return RefMatches([])


def _match_node(file: IndexedFile, file_nodes: FileNodes, index: int) -> RefMatch:
    """Return a node, or the entity that it is: the outline of a version may have no ids."""
    if index in file_nodes.entity_nodes:
        ordinal = file_nodes.entity_nodes.index(index)
        return RefMatch(file.version.identities[ordinal], file, ordinal)
    node = file_nodes.nodes[index]
    identity = file.version.identities[node.entity] if node.entity >= 0 else None
    return RefMatch(identity, file, node.entity, node=node)


def _by_name(view: SnapshotView, name: str) -> list[RefMatch]:
    return [RefMatch(row.identity) for row in _without_signature_rows(view, pick_exact(name, lookup_in_index(view)))]


def find_named(view: SnapshotView, name: str) -> list[RefMatch]:
    """Return what a name means that nothing has exactly: it may be written in many ways."""
    return [RefMatch(row.identity) for row in _without_signature_rows(view, pick_named(name, lookup_in_index(view)))]


def lookup_in_index(view: SnapshotView) -> Lookup[SnapshotEntity]:
    return Lookup(
        lambda name: view.store.entities_qualified(view.number, [name]),
        lambda name: view.store.entities_named(view.number, [name]),
        lambda row: view.hold(row).entity,
    )


def _without_signature_rows(view: SnapshotView, rows: Sequence[SnapshotEntity]) -> Iterator[SnapshotEntity]:
    places: dict[tuple[str, str], list[SnapshotEntity]] = {}
    for row in rows:
        places.setdefault((row.path, row.qualified_name), []).append(row)
    for (path, _), named in places.items():
        file = view.file(path) if len(named) > 1 and named[0].kind in FUNCTION_LIKE else None
        ordinals = [row.ordinal for row in named]
        kept = without_signatures(file.outline, ordinals) if file is not None else ordinals
        yield from (row for row in named if row.ordinal in kept)


def _versions(view: SnapshotView, path: str) -> Iterator[IndexedFile]:
    """Yield a file as it is, then as it was; versions whose outline is no longer stored are left out."""
    now = view.file(path)
    if now is not None:
        yield now
    for version in view.store.versions_of(path):
        if now is None or version.version != now.version.version:
            file = view.at_version(version.version)
            if file is not None:
                yield file


class FormerEntity(NamedTuple):
    """An identity that had the name or path; `was` is the last event at which it had it."""

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
    """Return former owners of a name or path, without some identities."""
    return _in_order(view, ref, _identities(view, ref).difference(but))


def find_former_named(view: SnapshotView, name: str) -> list[FormerEntity]:
    """Return former owners of a name that nothing had exactly: the end of a name, or one with its package in front."""
    asked = read_name(name).name
    rows = _keys_with(view, asked) if asked else []
    found = _named(rows, asked) or {identity for identity, key in rows if _is_about(key, asked)}
    return _in_order(view, NameRef(asked), found)


def _is_about(key: Key, asked: str) -> bool:
    name = key.qualified_name
    package = asked.removesuffix(f".{name}").replace(".", "_")
    return name.endswith(f".{asked}") or (package != asked and f"_{package}_" in f"{key.place}_")


def _in_order(
    view: SnapshotView, ref: NameRef | NamedRef | LinesRef, identities: Collection[int]
) -> list[FormerEntity]:
    lives = read_lives(view, identities)
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
    """Return the entity at some lines of a file, as it was last."""
    for version in view.store.versions_of(ref.path) if 1 <= ref.first <= ref.last else ():
        file = view.at_version(version.version)
        if file is not None:
            ordinal = entity_at_lines(file.outline.entities, ref.first, ref.last)
            return {version.identities[ordinal]} if ordinal is not None else set()
    return set()


def _named_in(view: SnapshotView, name: str, path: str) -> set[int]:
    """Return identities that had the name in that file; else those that were in that file under another name."""
    place, rows = place_of(path), _keys_with(view, name)
    in_place = _named([row for row in rows if row[1].place == place], name)
    if in_place or not rows:
        return in_place
    keys = view.store.keys_of({identity for identity, _ in rows})
    were_there = {key.identity for key in keys if key.semantic_path.endswith(f":{place}")}
    return _named([row for row in rows if row[0] in were_there], name)


def _keys_with(view: SnapshotView, name: str) -> list[tuple[int, Key]]:
    """Return identities with keys that have the name or its end: a name may contain dots."""
    endings = [name[i:] for i in range(len(name)) if i == 0 or name[i - 1] == "."]
    rows = view.store.keys_named([encode_name(ending) for ending in endings])
    return [(row.identity, key) for row in rows if (key := parse_key(row.text)) is not None]


def _named(rows: list[tuple[int, Key]], name: str) -> set[int]:
    """Return the identities that had a qualified name, else a simple one."""
    qualified = {identity for identity, key in rows if key.qualified_name == name}
    return qualified or {identity for identity, key in rows if key.name == name}


def _last_with(life: Life, ref: NameRef | NamedRef | LinesRef) -> LedgerEvent:
    """Return the last event at which it had the name, in the file if that is known; else the birth."""
    path = None if isinstance(ref, NameRef) else ref.path
    name = None if isinstance(ref, LinesRef) else ref.name if isinstance(ref, NameRef) else ref.qualified_name

    def fits(one: LedgerEvent, in_file: bool) -> bool:
        event = one.event
        is_named = name is None or name in (event.qualified_name, event.qualified_name.rpartition(".")[2])
        return is_named and (not in_file or path is None or event.path == path)

    fitting = [[one for one in life.events if fits(one, in_file)] for in_file in (True, False)]
    return (fitting[0] or fitting[1] or life.events)[-1]


def locate_all(state: RepositoryState, ref: LinesRef | NamedRef, level: Level = Level.OUTLINE) -> list[OutlinedEntity]:
    """Return the entity at some lines, or all of a name; raise an error that says what is missing."""
    file = source_file(state, ref.path, level)
    if isinstance(ref, NamedRef):
        named = named_in(file.outline.entities, ref.qualified_name)
        if not named:
            raise _no_such_name(state, file, ref)
        named = without_signatures(file.outline, named)
        return [OutlinedEntity(file, ordinal) for ordinal in named]
    ordinal = entity_at_lines(file.outline.entities, ref.first, ref.last)
    if ordinal is None or ref.last < ref.first:
        raise no_such_lines(state, ref.path, ref.first, ref.last)
    return [OutlinedEntity(file, ordinal)]


def locate_nearest(state: RepositoryState, ref: NamedRef, line: int) -> OutlinedEntity:
    """Return the entity of a name nearest to a line."""
    file = source_file(state, ref.path)
    entities = file.outline.entities
    named = _all_named(entities, ref.qualified_name)
    if not named:
        raise _no_such_name(state, file, ref)
    return OutlinedEntity(file, min(named, key=lambda i: abs(entities[i].start_line - line)))


def find_nearest(state: RepositoryState, at: Location) -> OutlinedEntity | None:
    """Return the entity of a qualified name in a file; of several the one nearest to its former place."""
    file = state.file(at.path)
    entities = file.outline.entities if file is not None else ()
    same = [i for i, entity in enumerate(entities) if entity.qualified_name == at.qualified_name]
    nearest = min(same, key=lambda i: abs(entities[i].start_line - at.start_line), default=None)
    return None if nearest is None or file is None else OutlinedEntity(file, nearest)


def entity_at_lines(entities: Sequence[Entity], first: int, last: int) -> int | None:
    """Return the entity that some lines mean: on one line the outermost that begins there, else the smallest around.

    If none is around all of the lines, it is the first that begins in them.
    """
    around = [i for i, entity in enumerate(entities) if entity.start_line <= first and last <= entity.end_line]
    starting = [i for i, entity in enumerate(entities) if first <= entity.start_line <= last]
    if not around or (first == last and starting):
        return min(starting, key=lambda i: (entities[i].start_byte, -entities[i].end_byte), default=None)
    return min(around, key=lambda i: (_n_lines(entities[i]), entities[i].start_byte, -entities[i].end_byte))


def named_in(entities: Sequence[Entity], name: str) -> list[int]:
    """Return ordinals by name, as it is or as it may be written; `impl` blocks of Rust go behind their type."""
    lookup = lookup_in(entities)
    chosen = {id(one) for one in pick_exact(name, lookup) or pick_named(name, lookup)}
    return [i for i, one in enumerate(entities) if id(one) in chosen]


def without_signatures(outline: Outline, named: list[int]) -> list[int]:
    """Return ordinals of one name without those of signatures: the function is meant."""
    if len(named) == 1:
        return named
    declared = owners_with_role(outline.bindings, "declared")
    functions = functions_of_signatures(outline.entities, declared)
    rules = load_registry().resolution_of(outline.language)
    return [i for i in named if i not in functions or (functions[i] in declared and not rules.has_stubs)]


def _all_named(entities: Sequence[Entity], name: str) -> list[int]:
    """Return ordinals of a qualified name, else of a simple one."""
    named = [i for i, entity in enumerate(entities) if entity.qualified_name == name]
    return named or [i for i, entity in enumerate(entities) if entity.name == name]


def source_file(state: RepositoryState, path: str, level: Level = Level.OUTLINE) -> OutlinedFile:
    file = state.file(path, level)
    if file is None and state.entry(path) is None:
        raise no_such_file(path, title_of(state), ())
    if file is None:
        raise NotFoundError(f"{path}: {state.problem(path) or 'is in no language that is supported'}")
    return file


def _no_such_name(state: RepositoryState, file: OutlinedFile, ref: NamedRef) -> NotFoundError:
    return no_such_name_in(ref.path, ref.qualified_name, title_of(state), file.outline.entities)


def _n_lines(entity: Entity) -> int:
    return entity.end_line - entity.start_line
