"""A small repository of its own, indexed in this process, with a clock that stands still between runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.answers.resolving import resolve_at
from birthmark.app.changes.diffing import diff_states
from birthmark.app.indexing.checking import check_index
from birthmark.app.indexing.index import IndexOptions, indexing, target_of
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.changes import DiffDocument
from birthmark.graph.edges import CALLS, users
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.update import Summary, update_index
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import Detail

START = 1_706_284_800
TICK = 100  # seconds between two runs

GIT_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TEMPLATE_DIR": "",  # sample hooks, which `git init` would copy
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@b",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


def run_git(root: Path, *arguments: str, at: int | None = None) -> str:
    """`at` is the time of a commit, in seconds."""
    command = ["git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", *arguments]
    times = {} if at is None else dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), f"{at} +0000")
    environment = GIT_ENVIRONMENT | times
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class World:
    """A folder with files. `now` is the time of the next run, which is a tick later each time."""

    def __init__(self, root: Path, files: dict[str, str] | None = None, *, with_git: bool = False) -> None:
        self.root, self.now = root, START
        root.mkdir(parents=True, exist_ok=True)
        if with_git:
            self.git("init", "-q", "-b", "main")
        for path, text in (files or {}).items():
            self.write(path, text)

    # Editing

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text("utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def move(self, path: str, target: str) -> None:
        (self.root / target).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).rename(self.root / target)

    def git(self, *arguments: str) -> str:
        return run_git(self.root, *arguments)

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "m")
        return self.git("rev-parse", "HEAD")

    # Indexing

    @property
    def workspace(self) -> Workspace:
        return find_workspace(self.root)

    def index(
        self,
        change: Callable[[IndexTools], IndexTools] = lambda tools: tools,
        detail: Detail = Detail.DEFINITIONS,
        scope: frozenset[str] | None = None,
    ) -> Summary:
        """With other tools, or only some paths, as a watcher does it."""
        workspace = self.workspace
        with (
            writing(workspace, 5) as store,
            indexing(store, workspace, IndexOptions(1, detail)) as (repository, tools),
        ):
            found = repository.discover()
            files = [file for file in found.files if scope is None or file.path in scope]
            tools = change(tools._replace(now=lambda: self.now))
            state = repository.current_files(found._replace(files=files))
            summary = update_index(store, state, target_of(workspace, found, scope), tools)
        self.now += TICK
        return summary

    # Asking

    @contextmanager
    def session(self, refresh: RefreshOptions | None = None) -> Iterator[Session]:
        with open_session(self.root, refresh) as session:
            session.require_index()
            yield session

    def entities(self) -> list[IndexedEntity]:
        with self.session() as session:
            return list(session.view.entities())

    def entity(self, ref: str) -> IndexedEntity:
        with self.session() as session:
            return find_indexed(session, ref)

    def mark(self, ref: str) -> str:
        return self.entity(ref).mark

    def key(self, ref: str) -> str:
        return self.entity(ref).key

    def marks(self) -> dict[str, str]:
        """All marks, by `path::qualified.name`; of several that share it, the later ones with their number."""
        marks: dict[str, str] = {}
        for held in self.entities():
            name = f"{held.entity.path}::{held.entity.qualified_name}"
            n_twins = sum(known.partition("#")[0] == name for known in marks)
            marks[f"{name}#{n_twins}" if n_twins else name] = held.mark
        return marks

    def resolve(self, ref: str) -> ResolvedRef:
        with self.session() as session:
            return resolve_at(session, ref, None).resolved

    def recorded(self, ref: str) -> tuple[LedgerEvent, ...]:
        """The events of the ledger, as they were recorded."""
        with self.session() as session:
            life = resolve_at(session, ref, None).resolved.life
            assert life is not None
            return read_lives(session.view, [life.identity.identity])[life.identity.identity].events

    def events(self, ref: str) -> list[str]:
        return [happening.event.change for happening in self.recorded(ref)]

    def callers(self, ref: str) -> list[str]:
        """Who calls, by qualified name."""
        held = self.entity(ref)
        with self.session() as session:
            edges = users(session.graph, session.resolver, session.definition(held), CALLS)
        return sorted(edge.source.qualified_name if edge.source else "" for edge in edges)

    def diff(self, base: str | None = None, target: str | None = None) -> DiffDocument:
        """Without a base what the next run will find."""
        with open_repository(self.root) as repository:
            return diff_states(repository, base, target)

    def check(self) -> list[str]:
        """What is wrong with the index: by itself, and against a rebuild."""
        with self.session() as session:
            return check_index(session, against_rebuild=True, strict=False)


def told(changes: dict[str, int]) -> dict[str, int]:
    """The changes that there are."""
    return {change: number for change, number in changes.items() if number}


def write_settings(root: Path, tables: Iterable[str]) -> None:
    (root / "birthmark.toml").write_text("\n".join(tables), "utf-8")
