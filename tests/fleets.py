"""A fleet for tests: small repositories beside each other, a database of its own, and a folder for mirrors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from birthmark.app.answers.searching import prepare_answers
from birthmark.app.workspace.stores import reading, writing
from birthmark.app.workspace.workspace import STORE, find_workspace
from birthmark.server.fleet.catalog import FleetRepository, find_repository, folder_of
from random_commits import Edits
from running import Result, birthmark
from small_repositories import Commit, make_repository
from stored_rows import rows_of
from worlds import World, run_git


class Fleet:
    """Repositories that grow; what is called `a` comes from https://host/team/a, but is fetched from a folder."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url, self.mirrors = folder, url, folder / "mirrors"

    def make(self, name: str, commits: list[Commit | dict[str, str]] | None = None, *, seed: int = 0) -> World:
        world = make_repository(self.folder / name, commits or Edits(seed).grow(8))
        world.git("remote", "add", "origin", f"https://host/team/{name}.git")
        return world

    def run(self, *arguments: str) -> Result:
        return birthmark("--store", self.url, "fleet", *arguments, cwd=self.folder)

    def refresh(self, *arguments: str) -> dict[str, Any]:
        """What became of each, by the last part of its name."""
        result = self.run("refresh", "--mirrors", str(self.mirrors), "--json", *arguments)
        assert result.returncode == 0, result.stderr
        return {one["name"].rpartition("/")[2]: one for one in json.loads(result.stdout)}

    def status(self) -> dict[str, Any]:
        result = self.run("status", "--mirrors", str(self.mirrors), "--json")
        assert result.returncode == 0, result.stderr
        return {one["name"].rpartition("/")[2]: one for one in json.loads(result.stdout)}

    def known(self, name: str) -> FleetRepository:
        return find_repository(self.url, f"host/team/{name}")

    def rows(self, name: str) -> dict[str, object]:
        """Those of a repository; the store must be that of the environment."""
        return rows_in(folder_of(self.known(name), self.mirrors))


def rows_in(folder: Path) -> dict[str, object]:
    workspace = find_workspace(folder)
    with reading(workspace) as store:
        return rows_of(store, workspace.worktree)


def single_rows(world: World, folder: Path, monkeypatch: Any) -> dict[str, object]:
    """Of a bare clone that is indexed alone, in SQLite, with its answers prepared."""
    run_git(folder, "clone", "-q", "--bare", str(world.root), f"{world.root.name}-alone.git")
    alone = folder / f"{world.root.name}-alone.git"
    with monkeypatch.context() as patch:
        patch.delenv(STORE, raising=False)
        assert birthmark("index", "--from-history", cwd=alone).returncode == 0
        workspace = find_workspace(alone)
        with writing(workspace, 0.0) as store:
            prepare_answers(store, workspace.worktree, lambda stage, done, total: None)
        return rows_in(alone)
