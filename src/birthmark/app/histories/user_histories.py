"""Read the history of an entity's users from the replayed ledger.

Takes the subject of a history. Walks all replayed commits, and looks for users where a change may concern them. Only
resolved uses count; possible uses by name do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from birthmark.app.histories.subjects import HistorySubject
from birthmark.app.indexing.replay import CommitReader
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.stores import no_index, writing
from birthmark.documents.changes import PastEntityDocument, PastUserDocument, UserEventDocument, UserHistoryDocument
from birthmark.documents.document import make
from birthmark.documents.parts import deletion_document, extended_commit_document, location_or_null
from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import unpack_entities
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, Outline, OutlineEntities
from birthmark.extraction.state import content_id_of
from birthmark.graph.edges import Edge
from birthmark.graph.symbols import Definition
from birthmark.history.user_changes import UserTimeline
from birthmark.identity.keys import parse_key
from birthmark.ledger.past_states import ChangedVersion, CommitChanges, read_changes, renamed_files, states_of
from birthmark.model import Level, Problem
from birthmark.queries.commit_graph import OutlineSource, VersionSymbols
from birthmark.queries.past_users import Files, PastUsers
from birthmark.sources.git.log import Commit, log_all
from birthmark.store.model import Identity, Version
from birthmark.store.port import Store

Progress = Callable[[str, int, int], None]

_SOURCES = 4096  # that are held
_REPLAY = "run `birthmark index --from-history`"


class UserEvent(NamedTuple):
    """The users that a commit added and removed."""

    commit: Commit
    came: list[PastUserDocument]
    went: list[PastUserDocument]


def read_user_history(
    repository: OpenRepository,
    target: HistorySubject,
    revision: str | None = None,
    progress: Progress = lambda stage, done, total: None,
) -> tuple[UserHistoryDocument, list[UserEvent]]:
    """Return the history without events, and what happened to its users, newest first."""
    store = _replayed_store(repository)
    identity = _identity_of(repository, store, target)
    links = log_all(repository.git, repository.revision(revision or "HEAD").commit)
    runs = store.replayed_commits()
    commits = read_changes(store, [one for one in links if one.commit in runs], CommitReader(repository))
    walk = _UserWalk(repository, store, identity)
    born = [runs[link.commit] >= identity.run for link, _ in commits]
    walk.extract_mentions([commit for commit, is_born in zip(commits, born, strict=True) if is_born], progress)
    events = [*walk.events(commits, born, progress)][::-1]
    n_users = len(walk.timeline.states[commits[-1][0].commit].users) if commits else 0
    entity = make(PastEntityDocument, target.entity, path=target.path, commit=target.commit)
    deletion = None if target.deletion is None else deletion_document(target.deletion)
    about = entity, identity.mark, n_users, len(links) - len(commits)
    was = location_or_null(target.was)
    return UserHistoryDocument(*about, events=[], deletion=deletion, was=was, known=len(events)), events


def user_event_documents(events: Iterable[UserEvent]) -> list[UserEventDocument]:
    return [extended_commit_document(UserEventDocument, one.commit, came=one.came, went=one.went) for one in events]


def _replayed_store(repository: OpenRepository) -> Store:
    if repository.store is None:
        raise no_index(repository.workspace)
    if not repository.store.replayed_commits():
        raise BirthmarkError(f"{repository.workspace.root}: its history was not replayed; {_REPLAY} first")
    return repository.store


def _identity_of(repository: OpenRepository, store: Store, target: HistorySubject) -> Identity:
    """Return the identity that the ledger recorded for the file with this content at this path."""
    outlined, extractor = target.outlined, repository.extractor
    key = (content_id_of(outlined.file.source()), outlined.file.outline.language)
    place = target.path, extractor.numbers({key}).get(key, -1)
    # Another version of this program may have extracted it, under another number.
    versions = store.versions_at([place]).get(place) or [
        one for one in store.versions_of(target.path) if content_id_of(extractor.source_of(one.extraction)()) == key[0]
    ]
    identities = [one.identities[outlined.ordinal] for one in versions if len(one.identities) > outlined.ordinal]
    if not identities:
        raise BirthmarkError(f"{target.path}: was not replayed as it is at {target.commit[:12]}; {_REPLAY} again")
    return store.identities(identities[:1])[0]


class _UserWalk:
    """A walk through the commits of a repository that follows the users of one identity."""

    def __init__(self, repository: OpenRepository, store: Store, identity: Identity) -> None:
        self.repository, self.store, self.identity = repository, store, identity
        self.symbols = VersionSymbols(outline_source(repository.extractor, store))
        self.users = PastUsers(self.symbols, identity.identity, _names(store, identity))
        self.timeline = UserTimeline()

    def extract_mentions(self, commits: Iterable[CommitChanges], progress: Progress) -> None:
        """Extract the needed outlines with all workers, and store them if the index can be written."""
        needed: dict[object, Version] = {}
        for version in (new for _, changed in commits for _, new in changed if new is not None):
            key = self.users.context_key(version)
            if key is not None:
                needed.setdefault(key, version)
        outlines = self.symbols.outlines
        blobs = [_blob(one.extraction, outlines, one.path) for one in needed.values()]
        cached = self.repository.extractor.numbers([blob.key for blob in blobs if blob], Level.OUTLINE)
        missing = [blob for blob in blobs if blob is not None and blob.key not in cached]
        if not missing:
            return
        try:
            with writing(self.repository.workspace, 0) as store:
                _fill_cache(self.repository, store, missing, progress)
        except BirthmarkError:
            return  # They are extracted one by one when they are asked for.

    def events(self, commits: Sequence[CommitChanges], born: Sequence[bool], progress: Progress) -> Iterator[UserEvent]:
        for done, (((link, changed), files), is_born) in enumerate(zip(states_of(commits), born, strict=True)):
            progress("looking for users", done, len(commits))
            manifests = partial(self.repository.manifests_at, link.commit)
            users = self.users.find(files, manifests) if is_born and self._concerns(changed) else None
            came, went = self.timeline.add(link, users, renamed_files(changed))
            if came or went:
                before = {old.path: old for old, _ in changed if old is not None}
                yield UserEvent(
                    self.repository.commit(link.commit), self._placed(came, files), self._placed(went, before)
                )

    def _concerns(self, changed: Iterable[ChangedVersion]) -> bool:
        return any(self.users.concerns(*change) for change in changed)

    def _placed(self, edges: Iterable[Edge], files: Files) -> list[PastUserDocument]:
        """Return the users at the sources of edges, by path and line."""
        sources = [edge.source.identity for edge in edges if edge.source is not None]
        marks = {one.identity: one.mark for one in self.store.identities(sources)}
        found = [
            _user_document(edge, None if edge.source is None else self._definition(edge.source, files), marks)
            for edge in edges
        ]
        return sorted(found, key=lambda one: (one.path, one.start_line or 0))

    def _definition(self, found: Definition, files: Files) -> Definition:
        version = files.get(found.path)
        defined = self.symbols.defined(version) if version is not None else None
        inside = defined.definitions if defined is not None else ()
        return next((one for one in inside if one.identity == found.identity), found)


def _user_document(edge: Edge, one: Definition | None, marks: Mapping[int, str]) -> PastUserDocument:
    if one is None or edge.source is None:
        return PastUserDocument(None, None, None, edge.source_path, None, None, edge.edge, edge.resolution)
    about = marks.get(edge.source.identity), one.kind, one.qualified_name, edge.source_path
    return PastUserDocument(*about, one.start_line, one.end_line, edge.edge, edge.resolution)


def _names(store: Store, identity: Identity) -> list[str]:
    keys = [parse_key(key.text) for key in store.keys_of([identity.identity])]
    return [key.name for key in keys if key is not None]


def outline_source(extractor: Extractor, store: Store) -> OutlineSource:
    """Read outlines from the cache, or extract them from the cached sources."""

    def entities(extraction: int) -> OutlineEntities | None:
        return next((unpack_entities(packed) for _, packed in store.outlines([extraction])), None)

    def outline(extraction: int) -> Outline | None:
        blob = _blob(extraction, found)
        results = extractor.outlines([blob] if blob is not None else [])
        return next((one for _, one in results if not isinstance(one, Problem)), None)

    source = lru_cache(_SOURCES)(lambda extraction: extractor.source_of(extraction)())
    found = OutlineSource(entities, outline, source)
    return found


def _blob(extraction: int, outlines: OutlineSource, path: str = "") -> Blob | None:
    known, source = outlines.entities(extraction), outlines.source(extraction)
    return None if known is None else Blob(content_id_of(source), known.language, lambda: source, path)


def _fill_cache(repository: OpenRepository, store: Store, blobs: Sequence[Blob], progress: Progress) -> None:
    writer = OpenRepository(repository.workspace, store, repository.settings, is_writable=True)
    try:
        for done, _ in enumerate(writer.extractor.fill_cache(blobs, Level.OUTLINE)):
            progress("extracting mentions", done, len(blobs))
    finally:
        writer.close()
