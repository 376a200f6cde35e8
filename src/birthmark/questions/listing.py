"""The contents of a repository: entities, nodes, chunks, files and folders."""

from __future__ import annotations

from itertools import chain
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.answers.listing import find_paths, list_chunked, list_entities, list_nodes
from birthmark.app.answers.overview import read_latest, read_tree
from birthmark.app.answers.source_files import read_source_file
from birthmark.app.changes.chunk_changes import chunks_since
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import (
    ChunkChangesDocument,
    ChunkPage,
    EntityPage,
    NodePage,
    SourceFileDocument,
    chunk_documents,
    indexed_entity_document,
    node_document,
)
from birthmark.documents.listings import LatestDocument, TreeDocument
from birthmark.model import KINDS
from birthmark.questions.parameters import At, Path
from birthmark.questions.question import PagedQuestion, Question


class Entities(PagedQuestion, frozen=True, kw_only=True):
    """List the definitions in PATH, a file or a folder, or in the whole index.

    Examples:
      birthmark entities src/app.py
      birthmark entities src --kind class --kind interface
      birthmark entities src --tree --depth 2
      birthmark entities src/app.py --jsonl | jq -r .qualified_name
      birthmark entities bin/tool --language ruby
      birthmark entities src/app.py --deleted
    """

    arguments: ClassVar = ("path",)

    path: Path = None
    kind: Annotated[
        tuple[str, ...],
        Meta(description="Only these: class, fn, …", extra={"choices": KINDS, "metavar": "KIND"}),
    ] = ()

    def answer(self, session: Session) -> EntityPage:
        listed = list_entities(session, find_paths(session, self.path))
        found = (one for one in listed if not self.kind or one.entity.kind in self.kind)
        items, start = self.cut(map(indexed_entity_document, found))
        return EntityPage(items, freshness_document(session.freshness), truncated=start is not None, next=start)


class Nodes(PagedQuestion, frozen=True, kw_only=True):
    """List the nodes of PATH, a file or a folder, or of the whole index: definitions, calls, imports and others.

    Examples:
      birthmark nodes src/app.js
      birthmark nodes src
      birthmark nodes src/app.js --jsonl | jq 'select(.type == "CALL")'
    """

    arguments: ClassVar = ("path",)

    path: Path = None

    def answer(self, session: Session) -> NodePage:
        nodes, start = self.cut(list_nodes(session, find_paths(session, self.path)))
        items = [node_document(*node) for node in nodes]
        return NodePage(items, freshness_document(session.freshness), truncated=start is not None, next=start)


class Chunks(PagedQuestion, frozen=True, kw_only=True):
    """List the chunks of PATH, a file or a folder, or of the whole index, for embedding and retrieval.

    In JSON a chunk has its text, the mark of the entity it is in, and a hash of its content.

    With --since, changed (other text) and added chunks come first, which are to be embedded again; then rekeyed ones
    (the same text under a new uid: the embedding is still valid) and those that are gone; with --kept also unchanged
    ones.

    Examples:
      birthmark chunks src/app.py
      birthmark chunks docs --jsonl --no-text
      birthmark chunks --since HEAD~5
      birthmark chunks src --since v1.0 --jsonl | jq -r 'select(.after) | .after.chunkUid'
    """

    arguments: ClassVar = ("path",)

    path: Path = None
    since: Annotated[str | None, Meta(description="List what became of chunks since this revision.")] = None
    kept: Annotated[bool, Meta(description="With `since`, list kept chunks, too.")] = False
    text: Annotated[bool, Meta(description="Leave out the text of chunks.", extra={"negated": True})] = True

    def answer(self, session: Session) -> ChunkPage | ChunkChangesDocument:
        if self.since is not None:
            return self._changes(session, self.since)
        files = list_chunked(session, find_paths(session, self.path))
        found = (chunk_documents(file, with_text=self.text) for file in files)
        items, start = self.cut(chain.from_iterable(found))
        return ChunkPage(items, freshness_document(session.freshness), truncated=start is not None, next=start)

    def _changes(self, session: Session, since: str) -> ChunkChangesDocument:
        found, document = chunks_since(session.repository, since, self.path, with_kept=self.kept, with_text=self.text)
        changes, start = self.cut(found)
        return replace(document, changes=changes, truncated=start is not None, next=start)


class SourceFile(Question, frozen=True, kw_only=True):
    """Show a file with its text and definitions."""

    path: Annotated[str, Meta(min_length=1, description="A file, relative to the root of the repository.")]
    at: At = None

    def answer(self, session: Session) -> SourceFileDocument:
        return read_source_file(session, self.path, self.at)


class Tree(PagedQuestion, frozen=True, kw_only=True):
    """Show what a folder consists of."""

    folder: Annotated[str, Meta(description="A folder, relative to the root; the root if left out.")] = ""
    least: Annotated[int, Meta(ge=0, le=1_000, description="Open folders in it until there are N entries.")] = 0

    def answer(self, session: Session) -> TreeDocument:
        return self.cut_lists(read_tree(session, self.folder, self.least), "children")


class Latest(Question, frozen=True, kw_only=True):
    """List what happened last, by the ledger."""

    limit: Annotated[int, Meta(ge=1, le=10_000, description="List at most N identities.")] = 200

    def answer(self, session: Session) -> LatestDocument:
        return read_latest(session, self.limit)
