"""A repository, for Python: the questions of the commands, answered with the documents that they print as JSON.

Each question brings the index up to date as a command does, and takes a repository that is open and that no other
thread has (`SharedRepositories`). So several threads may ask at the same time, and `await asyncio.to_thread(...)` is
how to ask from asynchronous code. A list is read while other questions are asked, so it opens the index anew.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar, overload
from weakref import WeakSet

from birthmark.api.methods import AnyPath, RepositoryQuestions
from birthmark.api.subscriptions import Subscriptions
from birthmark.app.answers.listing import find_paths, list_chunked, list_entities
from birthmark.app.changes.diff_arguments import from_root
from birthmark.app.indexing.index import IndexOptions, update_folder
from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.app.workspace.freshness import WAIT_SECONDS, RefreshOptions
from birthmark.app.workspace.session import FolderSessions, Session
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.answers import ResolvedDocument, ShownDocument
from birthmark.documents.changes import HistoryDocument
from birthmark.documents.definitions import (
    ChunkChangesDocument,
    ChunkDocument,
    EntityDocument,
    chunk_documents,
    indexed_entity_document,
)
from birthmark.documents.index import IndexUpdateDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.definitions import resolve_refs
from birthmark.questions.history import History
from birthmark.questions.listing import Chunks
from birthmark.questions.question import ListQuestion, PagedQuestion, Question

_WAIT_SECONDS = 30.0  # for another writer
Answer = TypeVar("Answer", covariant=True)
Listed = TypeVar("Listed")


class Asked(Protocol[Answer]):
    """A question, by the type of its answer."""

    @property
    def is_about_worktree(self) -> bool: ...
    def answer(self, session: Session) -> Answer: ...


class Repository(RepositoryQuestions):
    """A repository and its index, open for questions; made by `Repository.open`.

    A REF is what the commands take: a mark, key, semantic id, chunk uid, `path:line`, `path::Qualified.name`, or a
    unique name. Paths are relative to the folder that was opened. What cannot be answered is a `BirthmarkError`, whose
    message is one line that says what to do.

    Examples:
        >>> repository = Repository.open(".")
        >>> repository.index().counts["entities"]
        5
        >>> repository.resolve("Cart.total").status
        <RefStatus.PRESENT: 'present'>
        >>> repository.close()
    """

    def __init__(self, folder: Path, *, refresh: bool) -> None:
        self._folder, self._refresh, self._is_closed = folder, refresh, False
        self._lists: WeakSet[Generator[Any]] = WeakSet()  # that are not read to their end
        self._repositories = SharedRepositories(folder, max_age=0.0, check=partial(check_worktree, wait=WAIT_SECONDS))
        self.root: Path = find_workspace(folder).root
        """The folder at the root of the repository, to which the paths of answers are relative."""

    @classmethod
    def open(cls, path: AnyPath = ".", *, refresh: bool = True) -> Self:
        """The repository around a folder. Its index is not opened before the first question.

        A question brings the index up to date first, unless `refresh` is false; the first index is made by `index()`.

        Examples:
            >>> with Repository.open("src") as repository:
            ...     repository.entity("shop.py::Cart").path
            'src/shop.py'
        """
        return cls(Path(os.path.abspath(path)), refresh=refresh)

    def close(self) -> None:
        """Close the index, also for lists that are not read to their end; later questions are refused."""
        self._is_closed = True
        self._repositories.close()
        for documents in list(self._lists):
            with suppress(ValueError):  # It is being read by another thread, and ends there.
                documents.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}.open({str(self._folder)!r})"

    # The index

    def index(self, *, from_history: bool = False, jobs: int | None = None) -> IndexUpdateDocument:
        """Make the index, or bring it up to date; with `from_history` the commits of HEAD are replayed first.

        Examples:
            >>> with Repository.open() as repository:
            ...     repository.index().files
            2
        """
        self._require_open()
        options = IndexOptions(jobs)
        return update_folder(self._folder, _WAIT_SECONDS, options, from_history=from_history).document

    # Contents of the index

    def entities(self, path: AnyPath | None = None) -> Iterator[EntityDocument]:
        """The definitions in a file, in a folder or in the whole index, as they are read.

        Examples:
            >>> with Repository.open() as repository:
            ...     [entity.qualified_name for entity in repository.entities("src/shop.py")]
            ['Cart', 'Cart.limit', 'Cart.add', 'Cart.total']
        """
        return self._list(lambda session: map(indexed_entity_document, list_entities(session, _paths(session, path))))

    @overload
    def chunks(self, path: AnyPath | None = None, *, text: bool = True) -> Iterator[ChunkDocument]: ...
    @overload
    def chunks(
        self, path: AnyPath | None = None, *, since: str, kept: bool = False, text: bool = True
    ) -> ChunkChangesDocument: ...
    def chunks(
        self, path: AnyPath | None = None, *, since: str | None = None, kept: bool = False, text: bool = True
    ) -> Iterator[ChunkDocument] | ChunkChangesDocument:
        """The chunks of a file, of a folder or of the whole index, as they are read; without their text if it is false.

        With `since`, what became of each chunk since a revision, what is to be embedded again first; those that are as
        they were only if `kept` is true. `birthmark.plan_embeddings` says what a store has to do.

        Examples:
            >>> with Repository.open() as repository:
            ...     [chunk.name for chunk in repository.chunks("src/tax.py")]
            ...     repository.chunks(since="HEAD~1").counts["changed"]
            ['net']
            1
        """
        if since is None:
            return self._list(
                lambda session: chain.from_iterable(
                    chunk_documents(file, with_text=text) for file in list_chunked(session, _paths(session, path))
                )
            )
        with self._open() as session:
            name = None if path is None else from_root(session.repository, os.fspath(path))
            found = Chunks(path=name, since=since, kept=kept, text=text).answer(session)
            assert isinstance(found, ChunkChangesDocument)
            return found

    # One thing

    def resolve_all(
        self, refs: Iterable[str], *, at: str | None = None, everywhere: bool = False
    ) -> Iterator[ResolvedDocument]:
        """The same for many, in their order, as they are found; the index is opened once.

        Examples:
            >>> with Repository.open() as repository:
            ...     [str(answer.status) for answer in repository.resolve_all(["Cart", "Card"])]
            ['present', 'unknown']
        """
        return self._list(lambda session: resolve_refs(session, refs, at, everywhere=everywhere))

    def entity(self, ref: str) -> ShownDocument:
        """A definition with its names and its source, as it is, or as it was before it was deleted.

        Examples:
            >>> with Repository.open() as repository:
            ...     print(repository.entity("net").source)
            def net(price, rate=0.2):
                return price / (1 + rate)
        """
        return self.show(ref)

    def history(
        self,
        ref: str,
        *,
        at: str | None = None,
        since: str | None = None,
        until: str | None = None,
        author: str | None = None,
        patch: bool = False,
        derivation: bool = False,
    ) -> HistoryDocument:
        """Return the history of a definition, across renames and moves, newest first.

        `since` and `until` are dates or revisions. With `patch` events have the changed lines, with `derivation` the
        history continues into the source of the code. No index is needed.

        Examples:
            >>> with Repository.open() as repository:
            ...     [list(map(str, event.changes)) for event in repository.history("Cart.total").events]
            [['rename', 'body change'], ['introduced']]
        """
        found = self.ask(
            History(ref=ref, at=at, since=since, until=until, author=author, patch=patch, derivation=derivation)
        )
        assert isinstance(found, HistoryDocument)
        return found

    def ask(self, question: Asked[Answer]) -> Answer:
        """Answer any question of `birthmark.questions`, with the document that its route of HTTP answers.

        Examples:
            >>> from birthmark.questions.impact import Impact
            >>> with Repository.open() as repository:
            ...     [user.depth for user in repository.ask(Impact(ref="net")).results]
            [1]
        """
        with self._open(refreshes=question.is_about_worktree) as session:
            return question.answer(session)

    def _ask_here(self, question: Question) -> Any:
        with self._open(refreshes=question.is_about_worktree) as session:
            return question.from_folder(session).answer(session)

    def _list_rows(self, question: ListQuestion) -> Iterator[Any]:
        def find(session: Session) -> Iterator[Any]:
            asked = question.from_folder(session)
            rows = asked.rows(session)
            return asked.page_of(rows) if isinstance(asked, PagedQuestion) else rows

        return self._list(find)

    @property
    def subscriptions(self) -> Subscriptions:
        """The subscriptions; methods subscribe, scan, and accept the findings of a scan."""
        self._require_open()
        return Subscriptions(self)

    # Opening the index

    def _require_open(self) -> None:
        if self._is_closed:
            raise BirthmarkError(f"{self.root}: this repository is closed; open it again")

    def _open(self, *, refreshes: bool = True) -> AbstractContextManager[Session]:
        self._require_open()
        return self._repositories.open(refreshes=refreshes and self._refresh)

    def _list(self, find: Callable[[Session], Iterable[Listed]]) -> Iterator[Listed]:
        self._require_open()
        documents = self._read(find)
        self._lists.add(documents)
        return documents

    def _read(self, find: Callable[[Session], Iterable[Listed]]) -> Generator[Listed]:
        """Yield results in a separate session, because callers may open others between two results."""
        with FolderSessions(self._folder, RefreshOptions() if self._refresh else None).open() as session:
            yield from find(session)


def _paths(session: Session, path: AnyPath | None) -> list[str] | None:
    return find_paths(session, None if path is None else from_root(session.repository, os.fspath(path)))
