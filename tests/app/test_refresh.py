"""Questions bring the index up to date first, and say so where they cannot."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.answers.files import AS_INDEXED
from birthmark.app.answers.listing import NamedEntity, open_listing
from birthmark.app.answers.neighbours import find_users
from birthmark.app.answers.resolving import resolve_at
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import Blob, ExhaustedProblem
from birthmark.ledger.file_scan import IndexTools
from birthmark.model import Level, Problem
from birthmark.sources.worktree import read_file
from birthmark.store.model import PackedExtraction
from examples import n_examples
from worlds import World, write_settings

A = "def alpha(x):\n    return beta(x) + 1\n\n\ndef gamma():\n    return alpha(2)\n"
B = "def beta(x):\n    total = x * 2\n    return total\n"
FILES = {"a.py": A, "sub/b.py": B}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, FILES, with_git=True)
    world.commit()
    world.index()
    return world


# Whatever is edited


def _append(world: World, path: str, number: int) -> None:
    if (world.root / path).exists():
        world.write(path, f"{world.read(path)}\n\ndef more_{number}():\n    return alpha({number})\n")


def _rename(world: World, path: str, number: int) -> None:
    if (world.root / path).exists():
        world.write(path, world.read(path).replace("alpha", f"alpha_{number}").replace("total", f"total_{number}"))


def _move(world: World, path: str, number: int) -> None:
    if (world.root / path).exists():
        world.move(path, f"moved/m{number}.py")


def _remove(world: World, path: str, _: int) -> None:
    (world.root / path).unlink(missing_ok=True)


EDITS: dict[str, Callable[[World, str, int], object]] = {
    "append": _append,
    "rename": _rename,
    "move": _move,
    "remove": _remove,
    "add": lambda world, _, number: world.write(f"n{number}.py", B.replace("beta", f"new_{number}")),
    "ignore": lambda world, path, _: world.write(".gitignore", f"{path}\n"),
    "commit": lambda world, _, __: world.commit(),
    "branch": lambda world, _, number: world.git("switch", "-q", "-C", f"b{number}"),
    "index": lambda world, _, __: world.index(),
}
edit = st.tuples(st.sampled_from(sorted(EDITS)), st.sampled_from(sorted(FILES)), st.integers(0, 3))


def answers(world: World, refresh: RefreshOptions | None = None) -> dict[str, Any]:
    with open_session(world.root, refresh) as session:
        assert session.freshness.is_fresh
        entities = [(one.mark, one.key, one.entity) for one in session.view.entities()]
        resolved = [resolve_at(session, mark, None).resolved.status for mark, _, _ in entities]
        callers = [find_users(session, mark).edges for mark, _, _ in entities]
    files = {path: listed(world.root / path, refresh) for path in {entity.path for _, _, entity in entities}}
    return {"entities": entities, "resolved": resolved, "callers": callers, "files": files}


def listed(path: Path, refresh: RefreshOptions | None) -> list[NamedEntity]:
    with open_listing(path, AS_INDEXED, refresh) as listing:
        return list(listing.entities())


@settings(max_examples=n_examples(25), deadline=None)
@given(st.lists(edit, max_size=5))
def test_answers_are_those_after_an_index(done: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), FILES, with_git=True)
        world.commit()
        world.index()
        for name, path, number in done:
            EDITS[name](world, path, number)
        found = answers(world, RefreshOptions())
        world.index()
        assert answers(world) == found


def test_without_refreshing_nothing_is_written(world: World) -> None:
    world.replace("a.py", "gamma", "delta")
    with open_session(world.root) as session:
        assert session.freshness.pending == ["a.py"]
    with open_session(world.root, RefreshOptions(), refreshes=False) as session:
        assert session.freshness.pending == ["a.py"]
    with open_repository(world.root) as repository:
        assert repository.freshness is not None
    assert "a.py::gamma" in world.marks()


def test_settings_turn_it_off(world: World) -> None:
    write_settings(world.root, ["[index]", "refresh = false"])
    world.replace("a.py", "gamma", "delta")
    with open_session(world.root, RefreshOptions()) as session:
        assert session.freshness.pending == ["a.py"]
        assert session.freshness.problem is None


def test_a_repository_is_brought_up_to_date_as_well(world: World) -> None:
    world.replace("a.py", "gamma", "delta")
    with open_repository(world.root, RefreshOptions()) as repository:
        assert repository.problems == []
    assert "a.py::delta" in world.marks()


def test_a_new_commit_alone_is_recorded(world: World) -> None:
    commit = world.commit()
    with open_session(world.root, RefreshOptions()) as session:
        assert (session.freshness.is_fresh, session.freshness.indexed_revision) == (True, commit)


def test_no_index_is_made(tmp_path: Path) -> None:
    world = World(tmp_path, FILES, with_git=True)
    message = "there is no index; run `birthmark index` first"
    with pytest.raises(BirthmarkError, match=message), open_session(world.root, RefreshOptions()) as session:
        session.require_index()
    with open_repository(world.root, RefreshOptions()) as repository:
        assert repository.store is None
    assert not (tmp_path / ".birthmark").exists()


def test_an_update_is_reported_with_its_files(world: World) -> None:
    reported: list[int] = []
    options = RefreshOptions(lambda n_files, seconds: reported.append(n_files))
    world.write("c.py", B.replace("beta", "third"))
    world.replace("a.py", "gamma", "delta")
    for _ in range(2):
        with open_session(world.root, options):
            assert reported == [2]


# What cannot be brought up to date


def test_while_another_process_writes_the_answer_is_from_what_is_there(world: World) -> None:
    world.replace("a.py", "gamma", "delta")
    with writing(world.workspace, 0):
        with open_session(world.root, RefreshOptions(wait=0.0)) as session:
            assert session.freshness.pending == ["a.py"]
            assert "the index is being written by process" in (session.freshness.problem or "")
            assert "gamma" in {one.entity.name for one in session.view.entities()}
        with open_repository(world.root, RefreshOptions(wait=0.0)) as repository:
            assert ["is not up to date: the index is being" in one.problem for one in repository.problems] == [True]


def test_an_index_that_cannot_be_written_still_answers(world: World) -> None:
    """A folder in the place of the lock, as permissions do not hold for everyone who runs this."""
    world.replace("a.py", "gamma", "delta")
    (world.workspace.home / "lock").unlink()
    (world.workspace.home / "lock").mkdir()
    with open_session(world.root, RefreshOptions()) as session:
        assert "is no regular file; run `birthmark doctor`" in (session.freshness.problem or "")
        assert session.freshness.pending == ["a.py"]


def test_a_file_that_cannot_be_read_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, max_bytes: int) -> bytes:
        """Another file may be read as well: one that was written just before it was indexed is read again."""
        if path.name == "a.py":
            raise BirthmarkError(f"{path}: not allowed to read it; check its permissions")
        return read_file(path, max_bytes)

    world.replace("a.py", "gamma", "delta")
    monkeypatch.setattr("birthmark.app.workspace.states.read_file", refuse)
    with open_session(world.root, RefreshOptions()) as session:
        assert session.freshness.unreadable == ["a.py"]
        assert "gamma" in {one.entity.name for one in session.view.entities()}


def test_what_took_too_long_is_not_tried_again_by_each_question(world: World) -> None:
    """It would take as long again each time."""
    world.replace("a.py", "gamma", "delta")
    world.index(exhausted)
    reported: list[int] = []
    with open_session(world.root, RefreshOptions(lambda n_files, seconds: reported.append(n_files))) as session:
        assert (session.freshness.pending, session.freshness.unreadable, reported) == (["a.py"], ["a.py"], [])
    world.replace("a.py", "delta", "epsilon")
    with open_session(world.root, RefreshOptions()) as session:
        assert session.freshness.is_fresh


def exhausted(tools: IndexTools) -> IndexTools:
    """For a.py; another file is read as well if it was written just before it was indexed."""
    fill_others = tools.extractor.fill_cache

    def fill(blobs: Iterable[Blob], level: Level) -> Iterator[tuple[Blob, PackedExtraction | Problem]]:
        wanted = list(blobs)
        yield from fill_others([blob for blob in wanted if blob.path != "a.py"], level)
        yield from ((blob, ExhaustedProblem(blob.path, "too slow")) for blob in wanted if blob.path == "a.py")

    tools.extractor.fill_cache = fill  # type: ignore[method-assign]
    return tools
