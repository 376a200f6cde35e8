"""The index itself: its state, an update, a check."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from birthmark.app.indexing.index import IndexOptions, IndexUpdate, update_folder
from birthmark.app.indexing.status import read_status
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.session import Session
from birthmark.documents.index import (
    IndexUpdateDocument,
    StatusDocument,
    ValidationDocument,
)
from birthmark.questions.parameters import Text
from birthmark.questions.question import Question
from birthmark.vocabulary import Detail

_WAIT_SECONDS = 20.0  # for another writer


class Status(Question, frozen=True, kw_only=True):
    """Show what is indexed, how fresh the index is, what could not be read, and what to do about it.

    An entity is a definition: a class, a function, a field, a variable of a module. A reference is a call, an import
    or a base class. A chunk is a piece of a file for embedding. The index is not brought up to date by this command.

    Examples:
      birthmark status
      birthmark status --verbose
      birthmark status --exit-code && echo fresh
      birthmark status --json | jq .pending
    """

    refreshes: ClassVar = False

    verbose: Annotated[
        bool,
        Meta(
            description="Also read all files to count equal nodes and names, and list all problems.",
            extra={"short": ("-v",)},
        ),
    ] = False

    def answer(self, session: Session) -> StatusDocument:
        return read_status(session, with_nodes=self.verbose)


class Index(Question, frozen=True, kw_only=True):
    """Index a repository, or bring its index up to date.

    The index is in .birthmark/ at the root of the repository, which git ignores. It holds entities (definitions), the
    references between them and chunks; nodes (calls, parameters and so on) are extracted again when they are needed,
    unless --detail full stores them. The detail of an index stays until it is changed. Of a bare repository the commit
    of its branch is indexed.

    Code of others is left out and counted: packages (node_modules, vendor with modules.txt, …), minified files, and
    files that .gitattributes calls generated or vendored. --third-party includes it until --no-third-party.

    With --from-history the commits that led to HEAD are replayed first, so that births and marks are the same in every
    clone, and `history` and `blame` need not walk git. After an interruption it continues where it stopped; later runs
    replay the new commits.

    Examples:
      birthmark index
      birthmark index ~/src/project --jobs 2
      birthmark index --detail full
      birthmark index --third-party
      birthmark index --from-history
    """

    refreshes: ClassVar = False
    writes: ClassVar = True
    opens: ClassVar = False
    route: ClassVar = "POST /index"
    body: ClassVar = "IndexRequest"

    path: Annotated[
        Text | None,
        Meta(description="A file that the answer includes, relative to the root.", extra={"unlisted": True}),
    ] = None
    jobs: (
        Annotated[
            int, Meta(ge=1, description="Number of worker processes.  [default: one per core]", extra={"local": True})
        ]
        | None
    ) = None
    detail: Annotated[
        Detail | None,
        Meta(
            description="Store every node in the index (full), or extract nodes again when needed.  "
            "[default: unchanged]",
            extra={"local": True},
        ),
    ] = None
    no_graph: Annotated[
        bool,
        Meta(
            description="Leave the edges between definitions to the first question that needs them.",
            extra={"local": True},
        ),
    ] = False
    third_party: Annotated[
        bool | None,
        Meta(
            description="Index packages of others, minified and generated files, too, or leave them out.  "
            "[default: unchanged]",
            extra={"local": True},
        ),
    ] = None
    from_history: Annotated[
        bool,
        Meta(
            description="Replay the history of HEAD first; entities are born at the time of their commit.",
            extra={"local": True},
        ),
    ] = False

    def update(
        self, session: Session, wait: float = _WAIT_SECONDS, progress: Progress = lambda stage, done, total: None
    ) -> IndexUpdate:
        options = IndexOptions(
            self.jobs, self.detail, progress, with_graph=not self.no_graph, third_party=self.third_party
        )
        return update_folder(session.workspace.root, wait, options, from_history=self.from_history, path=self.path)

    def answer(self, session: Session) -> IndexUpdateDocument:
        done = self.update(session).document
        return replace(done, file=None) if self.path is None else done


class Validate(Question, frozen=True, kw_only=True):
    """Check that the index is consistent; exit with 1 if it is not.

    Examples:
      birthmark validate
      birthmark validate --against-rebuild
      birthmark validate --strict --json
    """

    refreshes: ClassVar = False
    route: ClassVar = None

    against_rebuild: Annotated[
        bool, Meta(description="Index the same files into an empty index and compare row by row.")
    ] = False
    strict: Annotated[bool, Meta(description="Count problems and pending files as findings, too.")] = False

    def answer(self, session: Session) -> ValidationDocument:
        from birthmark.app.indexing.checking import check_index  # It loads what resolves references.

        findings = check_index(session, against_rebuild=self.against_rebuild, strict=self.strict)
        return ValidationDocument(not findings, findings)
