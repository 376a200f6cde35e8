"""Graphs of commits: walks are the same with and without one; it is used, kept for other processes, and bounded."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.sources.git import gitdir
from birthmark.sources.git.log import log_file, log_path
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.git.repository import GitRepository
from examples import n_examples
from worlds import run_git

PATHS = (b"a.py", b"f/b.py", b"f/g/c.py", b"none.py")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "birthmark" / "graphs"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "repository", 6)


def make_repository(root: Path, n_commits: int) -> Path:
    root.mkdir()
    run_git(root, "init", "-q", "-b", "main")
    for number in range(n_commits):
        edit(root, PATHS[number % 3], number)
    return root


def edit(root: Path, path: bytes, number: int) -> None:
    file = root / os.fsdecode(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"A = {number}\n")
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "-m", "m")


def write_graph(repository: GitRepository) -> None:
    """As many walks as it takes, and one that finds it written."""
    head = repository.resolve("HEAD")
    while repository._git_dir._graph_writer is None:
        log_path(repository, head, b"a.py")
    assert repository._git_dir._graph_writer.wait(60) == 0
    log_path(repository, head, b"a.py")


def walks(repository: GitRepository) -> list[object]:
    head = repository.resolve("HEAD")
    return [read(repository, head, path) for path in PATHS for read in (log_path, log_file)]


def filtered(repository: GitRepository, trace: Path) -> int:
    """How many commits the filters of a graph passed over, by git's own count."""
    repository._git_dir._environment["GIT_TRACE2_EVENT"] = str(trace)
    log_path(repository, repository.resolve("HEAD"), b"f/g/c.py")
    events = [json.loads(line) for line in trace.read_text("utf-8").splitlines()]
    counts = [event["value"] for event in events if event.get("category") == "bloom"]
    return sum(int(count["definitely_not"]) for count in counts)


def test_a_graph_passes_over_commits_and_changes_no_walk(root: Path, cache: Path, tmp_path: Path) -> None:
    with GitRepository(root) as repository:
        before = walks(repository)
        assert filtered(repository, tmp_path / "before") == 0
        write_graph(repository)
        assert filtered(repository, tmp_path / "after") > 0
        assert walks(repository) == before


def test_a_graph_is_kept_for_other_processes(root: Path, cache: Path, tmp_path: Path) -> None:
    with GitRepository(root) as repository:
        write_graph(repository)
    assert len(list(cache.glob("*/info/commit-graph"))) == 1
    edit(root, b"a.py", 100)  # which the graph does not have
    with GitRepository(root) as repository:
        assert filtered(repository, tmp_path / "kept") > 0
        assert len(log_path(repository, repository.resolve("HEAD"), b"a.py")) == 3
        for _ in range(20):
            log_path(repository, repository.resolve("HEAD"), b"a.py")
        assert repository._git_dir._graph_writer is None, "a recent one is not written again"


def test_an_old_graph_is_written_again(root: Path, cache: Path) -> None:
    with GitRepository(root) as repository:
        write_graph(repository)
    (graph,) = cache.glob("*/info/commit-graph")
    os.utime(graph, (0, 0))
    size = graph.stat().st_size
    edit(root, b"a.py", 100)
    with GitRepository(root) as repository:
        write_graph(repository)
    assert graph.stat().st_size > size
    assert gitdir.is_recent(graph.parents[1])


@pytest.mark.parametrize("part", [".", "info", "info/commit-graph"])
def test_a_link_in_its_place_is_refused(root: Path, cache: Path, tmp_path: Path, part: str) -> None:
    with GitRepository(root) as repository:
        write_graph(repository)
    (folder,) = cache.iterdir()
    link = folder / part
    link.rename(tmp_path / "elsewhere")
    link.symlink_to(tmp_path / "elsewhere")
    folders = find_git_folders(root)
    assert folders is not None
    assert gitdir.find_graph(folders) is None


def test_that_of_another_user_is_refused(root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with GitRepository(root) as repository:
        write_graph(repository)
    folders = find_git_folders(root)
    assert folders is not None
    assert gitdir.find_graph(folders) is not None
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert gitdir.find_graph(folders) is None


def test_a_graph_that_a_repository_brings_along_is_not_used(root: Path, cache: Path, tmp_path: Path) -> None:
    """Not in its worktree, and not in its index folder."""
    with GitRepository(root) as repository:
        write_graph(repository)
    (folder,) = cache.iterdir()
    for place in (".birthmark", ".birthmark/objects", ".birthmark/graphs/" + folder.name):
        (root / place / "info").mkdir(parents=True, exist_ok=True)
        (root / place / "info" / "commit-graph").write_bytes((folder / "info" / "commit-graph").read_bytes())
    (folder / "info" / "commit-graph").unlink()
    with GitRepository(root) as repository:
        assert filtered(repository, tmp_path / "trace") == 0


def test_only_so_many_are_kept(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitdir, "_MOST_GRAPHS", 2)
    for number in range(3):
        root = make_repository(tmp_path / f"repository{number}", 2)
        with GitRepository(root) as repository:
            write_graph(repository)
    assert len(list(cache.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"CGPH", b"CGPH\x01\x01\x03\x00" + b"\xff" * 64])
def test_a_damaged_graph_changes_no_walk(root: Path, cache: Path, damage: bytes) -> None:
    with GitRepository(root) as repository:
        before = walks(repository)
        write_graph(repository)
    (graph,) = cache.glob("*/info/commit-graph")
    graph.write_bytes(damage)
    with GitRepository(root) as repository:
        assert walks(repository) == before


@settings(max_examples=n_examples(8))
@given(st.randoms(use_true_random=False))
def test_walks_of_random_repositories_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, chance: random.Random
) -> None:
    """Of commits that are in a kept graph, that came later, and of merges."""
    folder = tmp_path_factory.mktemp("random")
    root = make_repository(folder / "repository", 2)
    edits = iter(range(10, 100))
    _branch(root, chance, edits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        with GitRepository(root) as repository:
            write_graph(repository)
        _branch(root, chance, edits)
        with GitRepository(root) as repository:
            assert repository._git_dir._graph is not None
            found = walks(repository)
    with GitRepository(root) as repository:
        assert repository._git_dir._graph is None
        assert walks(repository) == found


def _branch(root: Path, chance: random.Random, edits: Iterator[int]) -> None:
    """Edits on two branches, and a merge of both that keeps one's files."""
    for _ in range(chance.randint(1, 2)):
        edit(root, chance.choice(PATHS[:3]), next(edits))
    run_git(root, "checkout", "-q", "-b", f"side{next(edits)}", "HEAD~1")
    edit(root, chance.choice(PATHS[:3]), next(edits))
    run_git(root, "merge", "-q", "-X", chance.choice(["ours", "theirs"]), "-m", "merge", "main")
    run_git(root, "checkout", "-q", "-B", "main")
