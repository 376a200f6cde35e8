"""Make anchors, and find what they name in a state of a repository.

Takes an Anchor; gives an AnchorFate: a verdict, the place, and a refreshed anchor. The ways are tried from the surest
to the boldest: the ledger, which knows the mark; the place, where the same name still has it; git, which shows what
became of the name since the anchor's commit; and last the fingerprints and the sketch, against all that is indexed.
What fits two places is ambiguous, never guessed.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from birthmark.app.answers.refs import Marks, find_entity, read_ref
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.comparison.changes import compare_fingerprints
from birthmark.comparison.pair_commit import pair_commit
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.identity.anchors import (
    FILE,
    Anchor,
    Within,
    find_within,
    hash_lines,
    make_anchor,
    parse_anchor,
    sketch_likeness,
    sketch_of,
    within_of,
)
from birthmark.identity.fingerprints import HEAVY, Fingerprint, digest
from birthmark.queries.ref import entity_at_lines
from birthmark.queries.ref_forms import LinesRef, NamedRef
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.sources.git.git_files import origin_name
from birthmark.sources.git.log import Commit
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import AnchorVerdict, AnchorWay, Aspect, Confidence
from birthmark.words import count, lines_of

_ALIKE = 0.5  # estimated share of shingles by which an edited definition is known in another place
_STRANGE = 0.2  # the share below which a namesake may be another definition
_MARGIN = 0.15  # by which the best must surpass the next one
_UNCHANGED = (Aspect.FORMATTING,)
_NOT_HERE = "nothing like it is in this repository"
_NO_INDEX = "it is not where it was, and this clone lacks its commit; run `birthmark index` to search all files for it"
_LINES_GONE = "its lines are no longer there"


class AnchorFate(NamedTuple):
    """The present place of what an anchor names, or the reason that there is none.

    `lines` are those of the place in the definition or file; `deletion` is the commit that deleted it, where git alone
    tells.
    """

    anchor: Anchor
    verdict: AnchorVerdict
    way: AnchorWay | None = None
    confidence: Confidence | None = None
    now: OutlinedEntity | None = None
    path: str | None = None
    lines: tuple[int, int] | None = None
    aspects: tuple[Aspect, ...] = ()
    deletion: Commit | None = None
    rivals: tuple[OutlinedEntity, ...] = ()
    refreshed: Anchor | None = None
    problem: str | None = None


class _Found(NamedTuple):
    """The definitions that an anchor may mean; none if it was deleted."""

    way: AnchorWay
    confidence: Confidence
    entities: Sequence[OutlinedEntity] = ()
    deletion: Commit | None = None


class _Text:
    """The text of a file; what anchors to its lines need is computed once."""

    def __init__(self, content: bytes) -> None:
        self.content, self.digest = content, digest(content)

    @cached_property
    def hashes(self) -> list[bytes]:
        return hash_lines(self.content)

    @cached_property
    def sketch(self) -> bytes:
        return sketch_of(self.content)


class AnchorMaker:
    """Makes anchors of a state; what several of them need is read once."""

    def __init__(self, repository: OpenRepository, state: RepositoryState) -> None:
        self.repository, self.state = repository, state
        self.marks = Marks(repository, state)
        workspace = repository.workspace
        origin = origin_name(workspace.root) if workspace.has_git else None
        self.name = origin if origin is not None and "." in origin.partition("/")[0] else None  # not a path
        self._commit = state.revision or (workspace.head if workspace.has_git else None)
        self._texts: dict[str, _Text] = {}

    def text(self, path: str) -> _Text:
        if path not in self._texts:
            self._texts[path] = _Text(self.state.content(path) or b"")
        return self._texts[path]

    def of_ref(self, text: str) -> Anchor:
        """Return the anchor of what a REF names: a definition, or lines in one or in a file."""
        ref = read_ref(self.repository, self.state, text)
        if isinstance(ref, LinesRef) and self.state.entry(ref.path) is not None:
            return self.of_lines(ref.path, ref.first, ref.last)
        return self.of_entity(find_entity(self.repository, self.state, text))

    def of_lines(self, path: str, first: int, last: int) -> Anchor:
        """Return the anchor of lines; all lines of a definition, or its first one, are the definition."""
        hashes = self.text(path).hashes if self.state.entry(path) is not None else []
        if not 1 <= first <= last <= len(hashes):
            raise NotFoundError(f"{path}:{lines_of(first, last)}: the file has {count(len(hashes), 'line')}")
        file = self.state.file(path)
        entities = file.outline.entities if file is not None else ()
        ordinal = entity_at_lines(entities, first, last)
        entity = entities[ordinal] if ordinal is not None else None
        if file is None or ordinal is None or entity is None or first < entity.start_line or entity.end_line < last:
            return self.of_file(path, within_of(hashes, first, last, 1, len(hashes)))
        if first == entity.start_line and last in (entity.start_line, entity.end_line):
            return self.of_entity(OutlinedEntity(file, ordinal))
        within = within_of(hashes, first, last, entity.start_line, entity.end_line)
        return self.of_entity(OutlinedEntity(file, ordinal), within)

    def of_entity(self, outlined: OutlinedEntity, within: Within | None = None, old: Anchor | None = None) -> Anchor:
        """Return the anchor of a definition; `old` is one that has the same sketch if the text is the same."""
        entity, identity, fingerprint = outlined.entity, self.marks.identity_of(outlined), outlined.fingerprint
        is_same = old is not None and old.fingerprint.text == fingerprint.text
        return make_anchor(
            path=outlined.file.path,
            name=entity.qualified_name,
            kind=entity.kind,
            language=entity.language,
            lines=(entity.start_line, entity.end_line),
            fingerprint=fingerprint,
            sketch=b64decode(old.sketch) if old is not None and is_same else sketch_of(_text_of(outlined)),
            mark=identity.mark if identity is not None else None,
            key=identity.key if identity is not None else None,
            repository=self.name,
            commit=self._commit,
            within=within,
        )

    def of_file(self, path: str, within: Within) -> Anchor:
        """Return the anchor of lines outside of all definitions."""
        text = self.text(path)
        return make_anchor(
            path=path,
            name="",
            kind=FILE,
            language=self.state.language(path) or "",
            lines=(1, max(len(text.hashes), 1)),
            fingerprint=Fingerprint(text.digest, "", None, None, text.digest),
            sketch=text.sketch,
            repository=self.name,
            commit=self._commit,
            within=within,
        )


class AnchorFinder:
    """Finds what anchors name in a state; what several of them need is read once."""

    def __init__(self, repository: OpenRepository, state: RepositoryState) -> None:
        self.repository, self.state = repository, state
        self.maker = AnchorMaker(repository, state)

    def find(self, anchor: Anchor) -> AnchorFate:
        if anchor.kind == FILE:
            return self._find_file(anchor)
        found = self._look(anchor)
        if found is None:
            return self._unknown(anchor)
        if len(found.entities) > 1:
            rivals = tuple(found.entities)
            return AnchorFate(anchor, AnchorVerdict.AMBIGUOUS, found.way, rivals=rivals)
        if not found.entities:
            return AnchorFate(anchor, AnchorVerdict.GONE, found.way, found.confidence, deletion=found.deletion)
        return self._present(anchor, found.entities[0], found)

    def refresh(self, text: str) -> Anchor:
        """Return the present anchor of what another one names; an error if it has no place."""
        anchor = parse_anchor(text)
        assert anchor is not None
        fate = self.find(anchor)
        if fate.refreshed is None:
            raise no_place(fate)
        return fate.refreshed

    def _look(self, anchor: Anchor) -> _Found | None:
        """Try the ways in their order. What is not sure gives way to what is, and stands if nothing is."""
        known = self._in_ledger(anchor) or self._in_place(anchor)
        if known is not None and (known.way is AnchorWay.LEDGER or known.confidence is Confidence.HIGH):
            return known
        if known is not None and len(known.entities) > 1 and (paired := self._in_pairing(anchor)) is not None:
            return paired
        followed = self._in_history(anchor)
        if followed is not None and followed.entities:
            return followed
        return self._by_fingerprints(anchor, is_deleted=followed is not None) or known or followed

    @cached_property
    def _view(self) -> SnapshotView | None:
        """Return the index, if the state is the one that is indexed."""
        store = self.repository.store
        if store is None or isinstance(self.state, CommitState):
            return None
        with suppress(BirthmarkError):  # This worktree is not indexed, or by another version.
            return SnapshotView(store, self.repository.workspace.worktree, self.repository.extractor)
        return None

    def _in_ledger(self, anchor: Anchor) -> _Found | None:
        if self._view is None or anchor.mark is None or not self._view.store.identities_marked([anchor.mark]):
            return None
        if not self._view.entities_marked(anchor.mark):
            return _Found(AnchorWay.LEDGER, Confidence.HIGH)
        entity = self.maker.marks.entity_of(anchor.mark)
        return None if entity is None else _Found(AnchorWay.LEDGER, Confidence.HIGH, [entity])

    def _in_place(self, anchor: Anchor) -> _Found | None:
        """Return the definition of the same name in the same file, or several of which none is more like it."""
        namesakes = self._named(anchor.path, anchor.name, anchor.language)
        same_kind = [one for one in namesakes if one.entity.kind == anchor.kind]
        best = _most_equal(same_kind or namesakes, anchor.fingerprint)
        if not best:
            return None
        is_sure = len(best) == 1 and (
            _has_part_of(best[0].fingerprint, anchor.fingerprint) or self._likeness(anchor, best[0]) >= _STRANGE
        )
        return _Found(AnchorWay.PLACE, Confidence.HIGH if is_sure else Confidence.LOW, best)

    def _in_pairing(self, anchor: Anchor) -> _Found | None:
        """Tell namesakes of a file apart by pairing it with the file of the anchor's commit."""
        origin, new = self.repository.find_revision(anchor.commit), self.state.file(anchor.path)
        namesakes = _named_in(origin, anchor.path, anchor.name) if origin is not None else []
        old = _first([one for one in namesakes if one.fingerprint.text == anchor.fingerprint.text]) or _first(
            [one for one in namesakes if (one.entity.start_line, one.entity.end_line) == anchor.lines]
        )
        if old is None or new is None:
            return None
        successor = pair_commit([old.file], [new], self.repository.family_of).successors.get((0, old.ordinal))
        if successor is None:
            return None
        return _Found(AnchorWay.HISTORY, Confidence.MEDIUM, [OutlinedEntity(new, successor[1])])

    def _in_history(self, anchor: Anchor) -> _Found | None:
        """Follow the name from the anchor's commit through git; what came after the last commit is paired with it."""
        from birthmark.app.histories.subjects import find_in_past  # It loads what pairs commits.
        from birthmark.comparison.state_comparison import StateComparison

        origin = self.repository.find_revision(anchor.commit)
        head = self._head
        if origin is None or head is None or not _has_name(origin, anchor):
            return None
        past = find_in_past(self.repository, head, NamedRef(anchor.path, anchor.name))
        if past is not None and past.deletion is not None:
            return _Found(AnchorWay.HISTORY, Confidence.HIGH, deletion=past.deletion)
        then = past.outlined if past is not None else _first(_named_in(head, anchor.path, anchor.name))
        if then is None:
            return None
        namesakes = self._named(then.file.path, then.entity.qualified_name, anchor.language)
        entity = _first(_most_equal(namesakes, then.fingerprint))
        if entity is None and head is not self.state:
            comparison = StateComparison(head, self.state, self.repository.family_of)
            entity = comparison.successor(then) if comparison.changed_old else None
        if entity is None:
            return _Found(AnchorWay.HISTORY, Confidence.MEDIUM)
        is_sure = _has_part_of(entity.fingerprint, anchor.fingerprint)
        return _Found(AnchorWay.HISTORY, Confidence.HIGH if is_sure else Confidence.MEDIUM, [entity])

    @cached_property
    def _head(self) -> CommitState | None:
        if isinstance(self.state, CommitState):
            return self.state
        return self.repository.find_revision("HEAD")

    def _by_fingerprints(self, anchor: Anchor, *, is_deleted: bool) -> _Found | None:
        """Return what has the same content or body, or a namesake that is alike; after a deletion, the same alone."""
        if self._view is None:
            return None
        wanted, rows = anchor.fingerprint, self._rows
        same = self._heavy(rows.contents.get(wanted.content, ()), anchor)
        if same:
            return _Found(AnchorWay.FINGERPRINTS, Confidence.HIGH, same)
        if is_deleted:
            return None
        simple = anchor.name.rpartition(".")[2]
        near = [*rows.names.get(simple, ()), *rows.paths.get(anchor.path, ())]
        candidates = self._outlined({(row.path, row.ordinal): row for row in near}.values(), anchor)
        bodies = [one for one in candidates if wanted.body is not None and one.fingerprint.body == wanted.body]
        bodies = [one for one in bodies if one.entity.name == simple or _weight(one) >= HEAVY]
        if bodies:
            return _Found(AnchorWay.FINGERPRINTS, Confidence.MEDIUM, bodies)
        return self._most_alike(anchor, [one for one in candidates if one.entity.kind == anchor.kind])

    def _most_alike(self, anchor: Anchor, candidates: Sequence[OutlinedEntity]) -> _Found | None:
        shares = sorted(((self._likeness(anchor, one), at) for at, one in enumerate(candidates)), reverse=True)
        if not shares or shares[0][0] < _ALIKE:
            return None
        best = [candidates[at] for share, at in shares if share > shares[0][0] - _MARGIN]
        return _Found(AnchorWay.FINGERPRINTS, Confidence.LOW, best)

    def _heavy(self, rows: Iterable[SnapshotEntity], anchor: Anchor) -> list[OutlinedEntity]:
        """Return definitions that are no coincidence: with enough code, or with the same qualified name."""
        found = self._outlined(rows, anchor)
        return [one for one in found if _weight(one) >= HEAVY or one.entity.qualified_name == anchor.name]

    @cached_property
    def _rows(self) -> _Rows:
        assert self._view is not None
        return _Rows(self._view.store.all_entities(self._view.number))

    def _outlined(self, rows: Iterable[SnapshotEntity], anchor: Anchor) -> list[OutlinedEntity]:
        family_of = self.repository.family_of
        found = [row for row in rows if family_of(row.language) == family_of(anchor.language)]
        files = {file.path: file for file in self.state.load({row.path for row in found})}
        return [OutlinedEntity(files[row.path], row.ordinal) for row in found if row.path in files]

    def _named(self, path: str, name: str, language: str) -> list[OutlinedEntity]:
        family_of = self.repository.family_of
        found = _named_in(self.state, path, name)
        return [one for one in found if family_of(one.entity.language) == family_of(language)]

    def _likeness(self, anchor: Anchor, other: OutlinedEntity) -> float:
        return sketch_likeness(b64decode(anchor.sketch), sketch_of(_text_of(other)))

    def _present(self, anchor: Anchor, now: OutlinedEntity, found: _Found) -> AnchorFate:
        old, entity = anchor.fingerprint, now.entity
        aspects = compare_fingerprints(old, now.fingerprint) if old.version == now.fingerprint.version else ()
        old_parent, _, old_name = anchor.name.rpartition(".")
        is_moved = (now.file.path, entity.qualified_name.rpartition(".")[0]) != (anchor.path, old_parent)
        verdict = _boldest(
            is_renamed=entity.name != old_name and entity.qualified_name != anchor.name,
            is_moved=is_moved,
            aspects=aspects,
        )
        fate = AnchorFate(anchor, verdict, found.way, found.confidence, now, now.file.path, aspects=aspects)
        if anchor.within is None:
            return fate._replace(refreshed=self.maker.of_entity(now, old=anchor))
        return self._with_lines(fate, anchor.within, (entity.start_line, entity.end_line))

    def _with_lines(self, fate: AnchorFate, within: Within, span: tuple[int, int]) -> AnchorFate:
        """Find lines in the definition or file that has them; one with the same text has them where it had."""
        assert fate.path is not None
        text = self.maker.text(fate.path)
        ranges, is_same = find_within(within, text.hashes, *span)
        if self._text_hash(fate) == fate.anchor.fingerprint.text and _size(span) == _size(fate.anchor.lines):
            shift = span[0] - fate.anchor.lines[0]
            ranges, is_same = [(within.lines[0] + shift, within.lines[1] + shift)], True
        if len(ranges) > 1:
            return fate._replace(verdict=AnchorVerdict.AMBIGUOUS, confidence=None, problem=_describe(fate.path, ranges))
        if not ranges:
            return fate._replace(verdict=AnchorVerdict.GONE, problem=_LINES_GONE)
        refreshed = within_of(text.hashes, *ranges[0], *span)
        anchor = (
            self.maker.of_entity(fate.now, refreshed, fate.anchor)
            if fate.now
            else self.maker.of_file(fate.path, refreshed)
        )
        is_moved = fate.verdict in (AnchorVerdict.MOVED, AnchorVerdict.RENAMED)
        verdict = fate.verdict if is_moved else AnchorVerdict.UNCHANGED if is_same else AnchorVerdict.CHANGED
        confidence = (
            fate.confidence if is_same else Confidence.MEDIUM if fate.confidence is Confidence.HIGH else Confidence.LOW
        )
        aspects = () if is_same else (Aspect.BODY,)
        return fate._replace(verdict=verdict, confidence=confidence, aspects=aspects, lines=ranges[0], refreshed=anchor)

    def _text_hash(self, fate: AnchorFate) -> str:
        assert fate.path is not None
        return fate.now.fingerprint.text if fate.now is not None else self.maker.text(fate.path).digest

    def _find_file(self, anchor: Anchor) -> AnchorFate:
        """Find lines outside of all definitions, in the file or where git says that it went."""
        assert anchor.within is not None
        path, way = anchor.path, AnchorWay.PLACE
        if self.state.entry(path) is None:
            way, path = AnchorWay.HISTORY, self._renamed(anchor)
            if self.state.entry(path) is None:
                is_known = self.repository.find_revision(anchor.commit) is not None
                verdict = AnchorVerdict.GONE if is_known else AnchorVerdict.UNKNOWN
                return AnchorFate(anchor, verdict, problem=None if is_known else _NOT_HERE)
        verdict = AnchorVerdict.UNCHANGED if path == anchor.path else AnchorVerdict.MOVED
        fate = AnchorFate(anchor, verdict, way, Confidence.HIGH, path=path)
        return self._with_lines(fate, anchor.within, (1, len(self.maker.text(path).hashes)))

    def _renamed(self, anchor: Anchor) -> str:
        from birthmark.comparison.state_comparison import StateComparison

        origin = self.repository.find_revision(anchor.commit)
        return (
            anchor.path
            if origin is None
            else StateComparison(origin, self.state, self.repository.family_of).path_of(anchor.path)
        )

    def _unknown(self, anchor: Anchor) -> AnchorFate:
        """Return that it is gone only where that is known: all files were searched, in the repository of the anchor."""
        is_same = anchor.repository is not None and anchor.repository == self.maker.name
        if self._view is not None and (is_same or self.state.entry(anchor.path) is not None):
            return AnchorFate(anchor, AnchorVerdict.GONE, AnchorWay.FINGERPRINTS, Confidence.LOW)
        return AnchorFate(anchor, AnchorVerdict.UNKNOWN, problem=_NOT_HERE if self._view is not None else _NO_INDEX)


def no_place(fate: AnchorFate) -> NotFoundError:
    """Return the error for an anchor that names nothing, or nothing that a question is about."""
    if fate.path is not None and fate.lines is not None:
        place = f"{fate.path}:{lines_of(*fate.lines)}"
        return NotFoundError(f"{place}: the anchor names these lines, which are in no definition; name a definition")
    name, why = fate.anchor.name or fate.anchor.path, f" ({fate.problem})" if fate.problem is not None else ""
    return NotFoundError(f"the anchor of {name} is {fate.verdict}{why}; `birthmark resolve` shows what became of it")


class _Rows:
    """The definitions of the index by content, by simple name and by path."""

    def __init__(self, rows: Iterable[SnapshotEntity]) -> None:
        self.contents: dict[str, list[SnapshotEntity]] = {}
        self.names: dict[str, list[SnapshotEntity]] = {}
        self.paths: dict[str, list[SnapshotEntity]] = {}
        for row in rows:
            for index, key in ((self.contents, row.content_hash), (self.names, row.name), (self.paths, row.path)):
                index.setdefault(key, []).append(row)


def _boldest(*, is_renamed: bool, is_moved: bool, aspects: Collection[Aspect]) -> AnchorVerdict:
    if is_renamed:
        return AnchorVerdict.RENAMED
    if is_moved:
        return AnchorVerdict.MOVED
    return AnchorVerdict.CHANGED if {*aspects} - {*_UNCHANGED} else AnchorVerdict.UNCHANGED


def _named_in(state: RepositoryState, path: str, name: str) -> list[OutlinedEntity]:
    file = state.file(path) if state.entry(path) is not None else None
    if file is None:
        return []
    return [one for one in file.outlined if one.entity.qualified_name == name]


def _has_name(state: RepositoryState, anchor: Anchor) -> bool:
    return bool(_named_in(state, anchor.path, anchor.name))


def _most_equal(namesakes: Sequence[OutlinedEntity], wanted: Fingerprint) -> Sequence[OutlinedEntity]:
    """Return those with the same text; else the same content, interface or body; else all."""
    for part in ("text", "content", "interface", "body"):
        same = [one for one in namesakes if getattr(one.fingerprint, part) == getattr(wanted, part) is not None]
        if same:
            return same
    return namesakes


def _has_part_of(one: Fingerprint, other: Fingerprint) -> bool:
    return (
        one.content == other.content
        or one.interface == other.interface
        or (one.body is not None and one.body == other.body)
    )


def _size(lines: tuple[int, int]) -> int:
    return lines[1] - lines[0]


def _weight(outlined: OutlinedEntity) -> int:
    return outlined.file.outline.weights[outlined.ordinal]


def _text_of(outlined: OutlinedEntity) -> bytes:
    entity = outlined.entity
    return outlined.file.source()[entity.start_byte : entity.end_byte]


def _first(entities: Sequence[OutlinedEntity]) -> OutlinedEntity | None:
    return entities[0] if len(entities) == 1 else None


def _describe(path: str, ranges: Sequence[tuple[int, int]]) -> str:
    places = ", ".join(f"{path}:{first}-{last}" for first, last in ranges[:5])
    return f"its lines may be {places}; choose one and anchor it anew"
