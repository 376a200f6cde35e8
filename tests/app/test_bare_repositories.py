"""A repository without a worktree is indexed at a commit: what it holds is what a worktree of that commit holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.workspace.freshness import Freshness, RefreshOptions
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.stores import reading, writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.store.model import SnapshotFile
from examples import n_examples
from random_commits import SOURCES, TREES, A, B, Edits
from running import birthmark, document
from small_repositories import Files, make_repository, replay
from worlds import World, run_git

RULES = st.dictionaries(
    st.sampled_from([".gitignore", "pkg/.gitignore", ".birthmarkignore", ".gitattributes", "pkg/.gitattributes"]),
    st.sampled_from(
        ["a.py\n", "/pkg/\n", "!a.py\n", "!/pkg/c.py\n", "*.txt linguist-language=Python\n", "b.py linguist-vendored\n"]
    ),
    max_size=3,
)
MORE = st.dictionaries(st.sampled_from(["odd.txt", "pkg/odd.txt", "package.json"]), SOURCES.map("".join), max_size=2)


@st.composite
def histories(draw: st.DrawFn) -> list[Files]:
    """Lines of commits, some of which change what is ignored and which language a file is in."""
    return draw(
        st.lists(st.builds(lambda *parts: parts[0] | parts[1] | parts[2], TREES, RULES, MORE), min_size=1, max_size=4)
    )


def bare_clone(world: World, name: str = "bare.git") -> World:
    run_git(world.root.parent, "clone", "-q", "--bare", str(world.root), name)
    return World(world.root.parent / name)


def set_branch(bare: World, commit: str) -> None:
    bare.git("update-ref", "refs/heads/main", commit)


def commits_of(world: World) -> list[str]:
    return world.git("rev-list", "--reverse", "HEAD").split()


def file_rows(world: World) -> dict[str, SnapshotFile]:
    """All that is held of each file, but for the number of its version."""
    with reading(world.workspace) as store:
        snapshot = store.snapshot(world.workspace.worktree)
        assert snapshot is not None
        return {path: row._replace(version=None) for path, row in store.files(snapshot.snapshot).items()}


def indexed_contents(world: World) -> Mapping[str, tuple[str, str | None]]:
    return {path: (row.content.hex(), row.language) for path, row in file_rows(world).items()}


def entity_rows(world: World) -> list[tuple[object, ...]]:
    return [(one.entity, one.fingerprint, one.semantic_id) for one in world.entities()]


def check(folder: Path, history: Sequence[Files]) -> None:
    world = make_repository(folder / "w", history)
    step_by_step, at_once = bare_clone(world), bare_clone(world, "fresh.git")
    for commit in commits_of(world):
        set_branch(step_by_step, commit)
        step_by_step.index()
        world.git("checkout", "-q", commit)
        world.index()
    at_once.index()
    assert file_rows(step_by_step) == file_rows(at_once)
    assert entity_rows(step_by_step) == entity_rows(at_once) == entity_rows(world)
    assert indexed_contents(at_once) == indexed_contents(world)
    assert step_by_step.marks() == world.marks()
    assert step_by_step.check() == []


@settings(max_examples=n_examples(12))
@given(histories())
def test_commit_by_commit_holds_what_a_fresh_index_and_a_worktree_hold(history: list[Files]) -> None:
    with TemporaryDirectory() as folder:
        check(Path(folder), history)


@settings(max_examples=n_examples(6))
@given(st.integers(0, 1000))
def test_identities_are_followed_as_in_a_worktree(seed: int) -> None:
    with TemporaryDirectory() as folder:
        check(Path(folder), [commit.files for commit in Edits(seed).grow(5)])


# What is read, and when


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_repository(tmp_path / "w", [{"a.py": A, "b.py": B}, {"a.py": A.replace("x * 2", "x * 3"), "b.py": B}])


@pytest.fixture
def bare(world: World) -> World:
    return bare_clone(world)


def freshness_of(world: World) -> Freshness:
    with open_session(world.root) as session:
        return session.freshness


def test_only_what_differs_is_read(bare: World) -> None:
    first, second = commits_of(bare)
    set_branch(bare, first)
    assert bare.index().n_read == 2
    set_branch(bare, second)
    assert freshness_of(bare).pending == ["a.py"]
    summary = bare.index()
    assert (summary.n_files, summary.n_read, summary.n_extracted) == (2, 1, 1)
    assert bare.index().n_read == 0
    assert freshness_of(bare).is_fresh


def test_a_question_brings_the_index_to_the_commit_of_the_branch(bare: World) -> None:
    first, second = commits_of(bare)
    set_branch(bare, first)
    bare.index()
    set_branch(bare, second)
    with open_session(bare.root, RefreshOptions()) as session:
        assert (session.freshness.is_fresh, session.view.snapshot.revision) == (True, second)


def test_the_snapshot_is_of_a_ref_not_of_a_path(bare: World) -> None:
    bare.index()
    with reading(bare.workspace) as store:
        assert [(one.worktree, one.branch) for one in store.snapshots()] == [("refs/heads/main", "main")]


def test_a_detached_head_is_indexed_too(bare: World) -> None:
    first, _ = commits_of(bare)
    (bare.root / "HEAD").write_text(first + "\n")
    bare.index()
    assert (bare.workspace.worktree, bare.workspace.head) == ("HEAD", first)


def test_another_branch_goes_on_with_the_identities(bare: World) -> None:
    bare.index()
    known = bare.marks()
    bare.git("branch", "other")
    bare.git("symbolic-ref", "HEAD", "refs/heads/other")
    bare.index()
    assert (bare.workspace.worktree, bare.marks()) == ("refs/heads/other", known)


def test_a_ref_of_a_repository_with_a_worktree(world: World) -> None:
    """Each has its snapshot; the identities are the same."""
    world.index()
    world.write("a.py", "")
    first, _ = commits_of(world)
    world.git("branch", "old", first)
    workspace = find_workspace(world.root).at("refs/heads/old")
    with writing(workspace, 0) as store:
        assert index_worktree(store, workspace, IndexOptions(1)).n_files == 2
        snapshots = {one.worktree: one for one in store.snapshots()}
        rows = store.all_entities(snapshots["refs/heads/old"].snapshot)
        assert {row.qualified_name for row in rows} == {"alpha", "beta"}
        assert snapshots["refs/heads/old"].revision == first
    assert set(world.marks()) == {"a.py::alpha", "b.py::beta"}
    with pytest.raises(BirthmarkError, match="asked about at refs/heads/old, which has no worktree; x"):
        workspace.require_worktree("x")
    with pytest.raises(BirthmarkError, match="not the full name of a ref"):
        workspace.at("old")


def test_an_empty_repository_has_nothing_to_index(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "empty.git")
    assert World(tmp_path / "empty.git").index().n_files == 0


def test_what_is_too_large_is_reported_as_in_a_worktree(tmp_path: Path) -> None:
    world = make_repository(
        tmp_path / "w",
        [{"a.py": A, "big.py": "x = 1\n" * 200_000, "skipped.py": "y = 2\n" * 200_000, ".gitignore": "skipped.py\n"}],
    )
    bare = bare_clone(world)
    assert bare.index().problems == world.index().problems
    assert [problem.path for problem in bare.index().problems] == ["big.py"]


def test_a_blob_that_the_clone_lacks_is_reported(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "w", [{"a.py": A, "b.py": B}])
    world.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{world.root}", "partial.git")
    (problem, _) = World(tmp_path / "partial.git").index().problems
    assert (problem.path, problem.problem.startswith("is not in this clone")) == ("a.py", True)


def test_a_replay_goes_on_from_commit_to_commit(world: World, bare: World) -> None:
    first, second = commits_of(bare)
    replay(world.root)
    for commit in (first, second):
        set_branch(bare, commit)
        replay(bare.root)
    assert bare.marks() == world.marks()
    assert bare.index().n_read == 0
    assert bare.events("a.py::alpha") == ["born", "modified"]


# Questions

QUESTIONS = [
    "status --json",
    "entities --json",
    "entities a.py --json",
    "entities pkg --json",
    "nodes a.py --json",
    "chunks a.py --json",
    "show alpha --json",
    "show a.py:1 --json",
    "resolve a.py::alpha --json",
    "users alpha --json",
    "callers alpha --json",
    "callees omega --json",
    "impact alpha --json",
    "search alpha --json",
    "history alpha --json",
    "blame a.py --json",
    "diff HEAD~1 HEAD --json",
    "review HEAD~1..HEAD --json",
    "context alpha --json",
    "unused --json",
    "validate --against-rebuild --json",
    "doctor --json",
]


@pytest.fixture
def both(tmp_path: Path) -> tuple[World, World]:
    """A worktree and a bare clone, both replayed."""
    use = "from a import alpha\n\n\ndef omega(xs):\n    return alpha(xs)\n"
    files = {"a.py": A, "pkg/c.py": use, "pyproject.toml": '[project]\nname = "p"\n'}
    world = make_repository(tmp_path / "w", [files, files | {"a.py": A.replace("x * 2", "x * 3")}])
    bare = bare_clone(world)
    for one in (world, bare):
        replay(one.root)
    return world, bare


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_as_in_a_worktree(both: tuple[World, World], question: str) -> None:
    answers = [birthmark(*question.split(), cwd=one.root) for one in both]
    assert [answer.returncode for answer in answers] == [0, 0], answers[1].stderr
    if not question.startswith(("status", "doctor", "blame", "validate")):
        assert document(*question.split(), cwd=both[0].root) == document(*question.split(), cwd=both[1].root)


def test_a_note_is_kept_in_the_repository(bare: World) -> None:
    bare.index()
    assert birthmark("note", "alpha", "Doubles what counts.", cwd=bare.root).returncode == 0
    assert "Doubles what counts." in birthmark("notes", cwd=bare.root).stdout
    assert (bare.root / ".birthmark").is_dir()


@pytest.mark.parametrize("command", ["watch", "serve --watch", "diff HEAD~1", "entities a.py --max-bytes 9"])
def test_what_needs_a_worktree_says_so_in_one_line(bare: World, command: str) -> None:
    bare.index()
    result = birthmark(*command.split(), cwd=bare.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "is a bare repository, which has no worktree; " in result.stderr
