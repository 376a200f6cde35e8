"""A mirror is looked at for a server: only what has changed is read again, and nothing is indexed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.server.serving import many
from birthmark.server.serving.many import MirrorCheck
from running import birthmark
from worlds import World


class Mirror:
    def __init__(self, folder: Path) -> None:
        self.world = World(folder / "work", {"a.py": "def one():\n    return 1\n"}, with_git=True)
        self.world.commit()
        self.bare = folder / "mirror.git"
        self.world.git("clone", "-q", "--bare", str(self.world.root), str(self.bare))
        self.index()

    def push(self, name: str) -> str:
        self.world.write("a.py", f"def {name}():\n    return 1\n")
        commit = self.world.commit()
        self.world.git("push", "-q", str(self.bare), "HEAD")
        return commit

    def index(self) -> None:
        assert birthmark("index", cwd=self.bare).returncode == 0


@pytest.fixture
def mirror(tmp_path: Path) -> Mirror:
    return Mirror(tmp_path)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Mock:
    checks = Mock(wraps=check_worktree)
    monkeypatch.setattr(many, "check_worktree", checks)
    return checks


@pytest.fixture
def repositories(mirror: Mirror) -> Iterator[SharedRepositories]:
    with closing(SharedRepositories(mirror.bare, max_age=0.0, check=MirrorCheck())) as repositories:
        yield repositories


def ask(repositories: SharedRepositories) -> tuple[set[str], bool]:
    """The names in the index, and whether it is up to date."""
    with repositories.open() as session:
        return {one.entity.qualified_name for one in session.view.entities()}, session.freshness.is_fresh


def test_what_is_the_same_is_not_read_again(mirror: Mirror, checks: Mock) -> None:
    check = MirrorCheck()
    first = check(mirror.bare, True)
    assert all(check(mirror.bare, refreshes) is first for refreshes in (True, False, True))
    assert checks.call_count == 1
    commit = mirror.push("two")
    pushed = check(mirror.bare, True)
    assert pushed.freshness is not None
    assert (pushed.freshness.head, pushed.freshness.pending) == (commit, ["a.py"])
    mirror.index()
    indexed = check(mirror.bare, True)
    assert indexed.freshness is not None
    assert indexed.freshness.is_fresh
    (mirror.bare.parent / "birthmark.toml").write_text("[limits]\nmax_bytes = 10\n")
    assert check(mirror.bare, True).settings.limits.max_bytes == 10
    assert checks.call_count == 4


def test_questions_index_nothing(mirror: Mirror, repositories: SharedRepositories) -> None:
    assert ask(repositories) == ({"one"}, True)
    mirror.push("two")
    assert ask(repositories) == ({"one"}, False)
    mirror.index()
    assert ask(repositories) == ({"two"}, True)
