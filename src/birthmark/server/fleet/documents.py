"""Documents of a fleet: how its repositories are, and what a refresh did to them."""

from __future__ import annotations

from typing import Annotated

from birthmark.documents.document import Document, doc, make, words
from birthmark.server.fleet.additions import Added
from birthmark.server.fleet.fleet_status import RepositoryStatus
from birthmark.server.fleet.refresh_task import RefreshedRepository
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


class AddedDocument(Document, frozen=True):
    """The repositories that were added to the fleet."""

    added: Annotated[list[str], doc("names")]
    known: Annotated[list[str], doc("names of those that were there already")]


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


def fleet_repository_document(status: RepositoryStatus) -> FleetRepositoryDocument:
    known = status.repository
    return make(
        FleetRepositoryDocument,
        known,
        ref=known.ref or None,
        state=str(status.state),
        commit=known.indexed or None,
        indexed_at=known.indexed_at or None,
        behind=status.behind,
        history=known.has_history,
        announced_at=int(known.changed_at) or None,
        next_try=known.next_try or None,
        problem=known.problem or None,
        progress=status.progress,
    )


def added_document(added: Added) -> AddedDocument:
    return AddedDocument([one.name for one in added.new], [one.name for one in added.known])


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
