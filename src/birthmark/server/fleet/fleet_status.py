"""The state of a fleet's repositories, and what a refresh did to them, as documents."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import Document, doc, make, words
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import FleetRepository, current_progress, folder_of
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.sources.git.repository import GitRepository
from birthmark.vocabulary import FleetState, RefreshResult


class FleetProgressDocument(Document, frozen=True):
    """The progress of a refresh."""

    stage: Annotated[str, doc("what it does")]
    done: int
    total: int


class FleetRepositoryDocument(Document, frozen=True):
    """A repository of the fleet."""

    name: Annotated[str, doc("what it is called in the store")]
    source: Annotated[str, doc("the URL that it is fetched from, or the folder of a bare repository")]
    ref: Annotated[str | None, doc("the ref that is indexed; null: the branch of HEAD")]
    state: Annotated[str, words(FleetState, "how it is")]
    commit: Annotated[str | None, doc("that was indexed")]
    indexed_at: Annotated[int | None, doc("Unix seconds")]
    behind: Annotated[
        int | None, doc("commits that were fetched and are not indexed; null where that is not known here")
    ]
    history: Annotated[bool, doc("whether its history was replayed")]
    announced_at: Annotated[int | None, doc("Unix seconds: a push that was not looked at since")]
    failures: Annotated[int, doc("tries that failed since the last that did not")]
    next_try: Annotated[int | None, doc("Unix seconds: not before; null if it is due at any time")]
    problem: Annotated[str | None, doc("why the last try failed")]
    progress: Annotated[
        FleetProgressDocument | None, doc("of a refresh that is under way and takes longer than two seconds")
    ]


class RefreshedDocument(Document, frozen=True):
    """The result of refreshing a repository."""

    name: str
    result: Annotated[str, words(RefreshResult, "what was done")]
    commit: Annotated[str | None, doc("that is indexed now")]
    commits: Annotated[int, doc("that were replayed")]
    read: Annotated[int, doc("files that were read")]
    extracted: Annotated[int, doc("files that were parsed; others were known from any repository of the store")]
    seconds: float
    problem: str | None


def status_of(known: FleetRepository, mirrors: Path) -> FleetRepositoryDocument:
    """By what was fetched; nothing is fetched here."""
    behind = _count_behind(known, folder_of(known, mirrors))
    return make(
        FleetRepositoryDocument,
        known,
        ref=known.ref or None,
        state=str(_state(known, behind)),
        commit=known.indexed or None,
        indexed_at=known.indexed_at or None,
        behind=behind,
        history=known.has_history,
        announced_at=int(known.changed_at) or None,
        next_try=known.next_try or None,
        problem=known.problem or None,
        progress=current_progress(known, time.time()),
    )


def _state(repository: FleetRepository, behind: int | None) -> FleetState:
    if repository.failures:
        return FleetState.FAILED
    if not repository.indexed_at:
        return FleetState.NEW
    return FleetState.BEHIND if behind or repository.changed_at else FleetState.CURRENT


def _count_behind(repository: FleetRepository, folder: Path) -> int | None:
    try:
        found = find_workspace(folder)
        head = found.at(repository.ref or found.ref or "HEAD").head if found.has_git else None
        if head is None or not repository.indexed:
            return None
        return 0 if head == repository.indexed else _count_commits(folder, repository.indexed, head)
    except BirthmarkError:
        return None


def _count_commits(folder: Path, indexed: str, head: str) -> int:
    """A rewritten branch may be behind by no commit of its own; it is behind all the same."""
    with closing(GitRepository(folder)) as git:
        return max(1, int(git.run("rev-list", "--count", f"{indexed}..{head}")))


def refreshed_document(done: RefreshedRepository) -> RefreshedDocument:
    return make(
        RefreshedDocument,
        done,
        result=str(done.result),
        commit=done.commit or None,
        commits=done.n_commits,
        read=done.n_read,
        extracted=done.n_extracted,
        problem=done.problem or None,
    )
