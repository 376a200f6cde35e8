"""What an update does: reads what may have changed, extracts what is new, settles who is who, forgets nothing."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from birthmark.app.answers.listing import IndexListing
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Packed
from birthmark.extraction.model import Blob, ExhaustedProblem
from birthmark.ledger.file_scan import IndexTools
from birthmark.model import Level, Problem
from birthmark.sources.worktree import read_file
from birthmark.store.sqlite.store import SqliteStore
from birthmark.vocabulary import Detail, RefStatus
from worlds import START, TICK, World, told, write_settings

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

A = "def alpha(xs):\n    result = [x * 2 for x in xs if x]\n    return sorted(result)\n"
B = "def beta(text):\n    words = text.lower().split()\n    return {word: len(word) for word in words}\n"
C = "class Gamma:\n    def delta(self, key):\n        value = self.table.get(key, 0)\n        return value + 1\n"
_RACY_SECONDS = 0.06  # a file that was written longer ago is not read again


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "root", {"a.py": A, "b.py": B, "sub/c.py": C}, with_git=shutil.which("git") is not None)
    world.index()
    return world


def index_at_rest(world: World) -> None:
    """Index when nothing was written just now."""
    time.sleep(_RACY_SECONDS)
    world.index()


def work_done(world: World, change: Callable[[IndexTools], IndexTools] = lambda tools: tools) -> tuple[int, int]:
    """How many files were read, and how many extracted."""
    summary = world.index(change)
    return summary.n_read, summary.n_extracted


def failing(path: str, kind: type[Problem] = Problem) -> Callable[[IndexTools], IndexTools]:
    """IndexTools that cannot extract one file."""

    def change(tools: IndexTools) -> IndexTools:
        fill_cache = tools.extractor.fill_cache

        def fill(blobs: Iterable[Blob], level: Level) -> Iterator[Packed]:
            wanted = list(blobs)
            yield from ((blob, kind(path, "took longer than 20 s")) for blob in wanted if blob.path == path)
            yield from fill_cache([blob for blob in wanted if blob.path != path], level)

        tools.extractor.fill_cache = fill  # type: ignore[method-assign]
        return tools

    return change


# What is read, and what is extracted


def test_a_first_run_reads_and_extracts_everything(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": A, "b.py": B, "copy.py": A, "notes.xyz": "nothing of ours"})
    summary = world.index()
    assert (summary.n_files, summary.n_read, summary.n_extracted) == (3, 3, 2)  # The same content is extracted once.
    assert told(summary.changes) == {"born": 3}
    assert summary.problems == []


def test_an_empty_folder_can_be_indexed(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.index().n_files == 0
    assert world.entities() == []
    assert world.check() == []


def test_what_did_not_change_is_not_read(world: World) -> None:
    index_at_rest(world)
    assert work_done(world) == (0, 0)
    with world.session() as session:
        assert session.view.snapshot.run <= 2


def test_a_touched_file_is_read_and_not_extracted(world: World) -> None:
    index_at_rest(world)
    os.utime(world.root / "a.py", ns=(1, 1))
    assert work_done(world) == (1, 0)
    assert work_done(world)[1] == 0


def test_only_the_changed_file_is_extracted(world: World) -> None:
    index_at_rest(world)
    world.replace("b.py", "lower", "upper")
    assert work_done(world) == (1, 1)


def test_a_change_that_keeps_size_and_time_is_seen(world: World) -> None:
    """Right after it was written a file may be written again within the same tick of the clock."""
    status = (world.root / "a.py").stat()
    world.replace("a.py", "x * 2", "x * 3")
    os.utime(world.root / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert told(world.index().changes) == {"modified": 1}


def test_a_former_content_is_not_extracted_again(world: World) -> None:
    world.write("a.py", B)
    world.index()
    world.write("a.py", A)
    assert work_done(world)[1] == 0


@needs_git
def test_a_branch_switch_back_and_forth_extracts_nothing(world: World) -> None:
    world.commit()
    main = world.marks()
    world.git("checkout", "-q", "-b", "side")
    world.replace("a.py", "alpha", "renamed")
    world.remove("b.py")
    world.write("new.py", "def fresh(): return 1\n")
    world.commit()
    world.index()
    side = world.marks()
    for branch, marks in (("main", main), ("side", side), ("main", main)):
        world.git("checkout", "-q", branch)
        assert work_done(world)[1] == 0
        assert world.marks() == marks
        assert world.check() == []


@needs_git
def test_each_branch_has_its_snapshot(world: World) -> None:
    world.commit()
    world.git("checkout", "-q", "-b", "side")
    world.replace("a.py", "alpha", "renamed")
    world.index()
    with world.session() as session:
        main, side = sorted(session.store.snapshots(), key=lambda found: found.branch)
        assert (main.branch, side.branch) == ("main", "side")
        names = [{row.name for row in session.store.all_entities(found.snapshot)} for found in (main, side)]
    assert names[0] - names[1] == {"alpha"}
    assert names[1] - names[0] == {"renamed"}


# What cannot be read


def test_a_failed_extraction_keeps_the_last_good_state(world: World) -> None:
    before = world.marks()
    world.replace("a.py", "x * 2", "x * 3")
    summary = world.index(failing("a.py"))
    assert summary.problems == [Problem("a.py", "took longer than 20 s")]
    assert told(summary.changes) == {}
    assert world.marks() == before
    assert world.index(failing("a.py")).problems == summary.problems
    world.write("a.py", "# mended\n" + A)
    assert world.index().problems == []
    assert world.marks() == before
    assert world.check() == []


def test_a_new_file_that_cannot_be_extracted_holds_nothing(world: World) -> None:
    before = world.marks()
    world.write("d.py", B.replace("beta", "other"))
    assert world.index(failing("d.py")).problems == [Problem("d.py", "took longer than 20 s")]
    assert world.marks() == before


def test_a_parser_that_takes_too_long_is_stopped(world: World) -> None:
    before = world.marks()
    world.write("a.py", A + "x = " + "(" * 40_000 + ")" * 40_000 + "\n")
    write_settings(world.root, ["[limits]", "seconds = 0.001"])
    (problem,) = [problem for problem in world.index().problems if problem.path == "a.py"]
    assert "took more than 0.001 s" in problem.problem
    assert world.marks()["a.py::alpha"] == before["a.py::alpha"]
    (world.root / "birthmark.toml").unlink()
    assert not [problem for problem in world.index().problems if "took" in problem.problem]
    assert world.marks()["a.py::alpha"] == before["a.py::alpha"]


def read_but_for(name: str) -> Callable[[Path, int], bytes]:
    def read(path: Path, max_bytes: int) -> bytes:
        if path.name == name:
            raise BirthmarkError("not allowed to read it; check its permissions")
        return read_file(path, max_bytes)

    return read


def test_what_ran_out_of_time_is_tried_again_and_never_called_fresh(world: World) -> None:
    """The limit of a busy machine once left files out of the index for ever."""
    for path, text in (("d.py", B.replace("beta", "other")), ("a.py", A.replace("x * 2", "x * 3"))):
        world.write(path, text)
        assert Problem(path, "took longer than 20 s") in world.index(failing(path, ExhaustedProblem)).problems
        with world.session() as session:
            assert session.freshness.pending == [path]
        assert world.index().problems == []
        with world.session() as session:
            assert session.freshness.is_fresh
    assert "d.py::other" in world.marks()


def test_a_file_that_cannot_be_opened_keeps_the_last_good_state(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = world.marks()
    world.replace("a.py", "x * 2", "x * 3")
    with monkeypatch.context() as patch:
        patch.setattr("birthmark.app.workspace.states.read_file", read_but_for("a.py"))
        summary = world.index()
    assert summary.problems == [Problem("a.py", "not allowed to read it; check its permissions")]
    assert world.marks() == before
    world.write("a.py", world.read("a.py") + "\n")
    assert told(world.index().changes)["modified"] == 1
    assert world.marks() == before


def test_broken_source_is_ordinary_input(world: World) -> None:
    before = world.marks()
    for broken in (A + "\n\ndef broken(:\n    ((\n", "def broken(:\n    ((\n\n\n" + A, "\0\xff" + A):
        world.write("a.py", broken)
        world.index()
        assert world.check() == []
    world.write("a.py", A)
    world.index()
    assert world.marks() == before


# Gone and back


def test_a_deleted_files_entities_live_on_in_the_ledger(world: World) -> None:
    held = world.entity("beta")
    world.remove("b.py")
    assert told(world.index().changes) == {"deleted": 1}
    assert "beta" not in {one.entity.name for one in world.entities()}
    for ref in (held.mark, held.key, held.semantic_id):
        answer = world.resolve(ref)
        assert (answer.status, answer.identity and answer.identity.mark) == (RefStatus.GONE, held.mark)
    assert world.resolve("beta").status == RefStatus.GONE
    assert world.events(held.mark) == ["born", "deleted"]


def test_a_restored_file_revives_with_its_old_keys(world: World) -> None:
    before = {held.mark: held.key for held in world.entities()}
    world.remove("sub/c.py")
    world.index()
    world.write("sub/c.py", C)
    assert told(world.index().changes) == {"revived": 2}
    assert {held.mark: held.key for held in world.entities()} == before
    assert world.events("Gamma.delta") == ["born", "deleted", "revived"]


def test_who_is_back_in_its_place_is_not_taken_for_a_look_alike_that_leaves(tmp_path: Path) -> None:
    source = "def {}(x):\n    y = 1 + x\n    return [y, y * y]\n"
    world = World(tmp_path, {"one.py": source.format("first"), "two.py": source.format("second")})
    world.index()
    first, second = world.mark("first"), world.mark("second")
    world.remove("one.py")
    world.index()
    world.write("one.py", source.format("first").replace("1 + x", "2 + x"))
    world.remove("two.py")
    assert told(world.index().changes) == {"revived": 1, "deleted": 1}
    assert world.mark("first") == first
    assert world.resolve(second).status == RefStatus.GONE


def test_what_is_gone_is_not_taken_for_another_of_its_family_that_came(tmp_path: Path) -> None:
    source = "def step_{}(x):\n    y = 1 + x\n    y += 1\n    return y\n"
    world = World(tmp_path, {f"{name}.py": source.format(name) for name in ("one", "two")})
    world.index()
    mark = world.mark("step_one")
    world.remove("one.py")
    for name in ("two", "three"):
        world.write(f"{name}.py", source.format(name).replace("1 + x", "2 + x").replace("return", "y += 1\n    return"))
    assert told(world.index().changes) == {"modified": 1, "deleted": 1, "born": 1}
    world.write("one.py", source.format("one"))
    assert told(world.index().changes) == {"revived": 1}
    assert world.mark("step_one") == mark


def test_a_function_pasted_back_elsewhere_revives(world: World) -> None:
    mark = world.mark("alpha")
    world.write("a.py", "")
    world.index()
    world.write("b.py", B + "\n\n" + A)
    assert told(world.index().changes) == {"revived": 1, "unchanged": 1}
    assert world.mark("alpha") == mark


SMALL = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"


def test_a_file_that_is_gone_in_one_update_and_elsewhere_in_the_next_keeps_all_marks(world: World) -> None:
    for path, weighty in {"a.py": A, "b.py": B}.items():
        world.write(path, f"{SMALL}\n\n{weighty}")
    world.index()
    before = {name.removeprefix("a.py"): mark for name, mark in world.marks().items() if name.startswith("a.py")}
    for path in ("a.py", "b.py"):
        world.remove(path)
    world.index()
    world.write("new/place.py", f"{A}\n\n{SMALL}")
    assert told(world.index().changes) == {"revived": 3}
    marks = world.marks()
    assert {name: marks[f"new/place.py{name}"] for name in before} == before


def test_what_has_little_content_and_is_alone_elsewhere_is_new(world: World) -> None:
    world.write("a.py", f"{SMALL}\n\n{A}")
    world.index()
    world.remove("a.py")
    world.index()
    world.write("new/place.py", SMALL)
    assert told(world.index().changes) == {"born": 2}


def test_a_reverted_rename_takes_its_old_key_back(world: World) -> None:
    before = world.entity("alpha")
    world.replace("a.py", "alpha", "omega")
    world.index()
    renamed = world.entity("omega")
    assert (renamed.mark, renamed.key) == (before.mark, f"python:fn:omega:__a_py:T{START}")
    assert world.entity(before.key).mark == before.mark
    world.replace("a.py", "omega", "alpha")
    world.index()
    assert world.key("alpha") == before.key
    assert world.entity(renamed.key).key == before.key
    assert world.events(before.mark) == ["born", "renamed", "renamed"]


@needs_git
def test_a_reverted_commit_revives(world: World) -> None:
    first = world.commit()
    world.index()
    before = world.marks()
    world.remove("b.py")
    world.replace("a.py", A, "")
    world.commit()
    world.index()
    assert len(world.marks()) == len(before) - 2
    world.git("checkout", "-q", first, "--", ".")
    world.index()
    assert world.marks() == before
    (deleted,) = [h for h in world.recorded("beta") if h.event.change == "deleted"]
    assert deleted.run.revision == world.git("rev-parse", "HEAD")


def test_a_key_is_never_given_to_another_thing(world: World) -> None:
    """One is renamed, something else takes its name in the same second; then that goes, and a third one comes."""
    held = world.entity("beta")
    others = ("def beta():\n    while True:\n        yield 1, 2, 3\n", "class beta:\n    pass\n")
    renamed = B.replace("beta", "words_of")
    world.write("b.py", renamed)
    world.index()
    keys = {held.key}
    for other in others:
        world.now = START
        world.write("b.py", renamed + "\n\n" + other)
        world.index()
        assert world.entity(held.key).entity.name == "words_of"
        keys.add(world.key("beta"))
        world.write("b.py", renamed)
        world.index()
    assert keys == {held.key, f"python:fn:beta:__b_py:T{START + 1}", f"python:class:beta:__b_py:T{START}"}


def test_two_in_the_same_second_get_two_births(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "def f(): return 1\n\ndef f(): return 2\n\ndef f(): return 3\n"})
    world.index()
    assert [held.key[-10:] for held in world.entities()] == [str(START), str(START + 1), str(START + 2)]
    assert len({held.mark for held in world.entities()}) == 3


# Moves

MOVES: dict[str, tuple[dict[str, str | None], str]] = {
    "into a new file": ({"a.py": "", "new.py": A}, "new.py"),
    "into a file that is there": ({"a.py": "", "b.py": B + "\n\n" + A}, "b.py"),
    "and the old file is gone": ({"a.py": None, "sub/c.py": A + "\n\n" + C}, "sub/c.py"),
    "with its file": ({"a.py": None, "deep/down/z.py": A}, "deep/down/z.py"),
    "with its file, edited": ({"a.py": None, "z.py": "import os\n\n" + A.replace("2", "3")}, "z.py"),
    "with its folder": ({"a.py": None, "b.py": None, "pkg/a.py": A, "pkg/b.py": B}, "pkg/a.py"),
}


@pytest.mark.parametrize("how", MOVES)
def test_a_move_keeps_the_identity(world: World, how: str) -> None:
    files, path = MOVES[how]
    before = world.entity("alpha")
    others = {held.entity.qualified_name: held.mark for held in world.entities()}
    for name, text in files.items():
        if text is None:
            world.remove(name)
        else:
            world.write(name, text)
    world.index()
    after = world.entity("alpha")
    assert (after.mark, after.entity.path) == (before.mark, path)
    assert after.key.endswith(f":T{START}")
    assert after.key != before.key
    assert world.resolve(before.key).indexed == after
    assert world.resolve(before.semantic_id).indexed == after
    assert world.events(before.mark) == ["born", "relocated"]
    assert {held.entity.qualified_name: held.mark for held in world.entities()} == others
    assert world.check() == []


@needs_git
def test_a_move_into_an_untracked_file_keeps_the_identity(world: World) -> None:
    world.commit()
    world.index()
    mark = world.mark("alpha")
    world.write("a.py", "")
    world.write("untracked.py", A)
    world.index()
    assert world.entity(mark).entity.path == "untracked.py"


def test_a_copy_is_born_and_the_original_stays(world: World) -> None:
    mark = world.mark("alpha")
    world.write("copy.py", A)
    assert told(world.index().changes) == {"born": 1}
    assert world.mark("a.py::alpha") == mark != world.mark("copy.py::alpha")


# Ambiguity


def test_what_could_be_either_is_born_with_its_candidates(world: World) -> None:
    """The function is gone, and two copies of it stand elsewhere."""
    mark = world.mark("alpha")
    world.remove("a.py")
    world.write("x.py", A)
    world.write("y.py", A)
    world.index()
    copies = {world.mark("x.py::alpha"), world.mark("y.py::alpha")}
    assert mark not in copies
    assert len(copies) == 2
    answer = world.resolve(mark)
    assert answer.status == RefStatus.AMBIGUOUS
    assert {candidate.mark for candidate in answer.candidates} == copies
    born = world.resolve(next(iter(copies)))
    assert (born.status, [candidate.mark for candidate in born.candidates]) == (RefStatus.PRESENT, [mark])


# Worktrees, folders without git, versions of the extractor, detail


@needs_git
def test_linked_worktrees_share_the_ledger_and_have_their_own_snapshots(world: World) -> None:
    world.commit()
    world.index()
    world.git("worktree", "add", "-q", "-b", "side", str(world.root.parent / "linked"))
    linked = World(world.root.parent / "linked")
    with pytest.raises(BirthmarkError, match="not indexed yet"):
        linked.marks()
    linked.index()
    assert linked.marks() == world.marks()
    assert not (linked.root / ".birthmark").exists()
    linked.replace("a.py", "alpha", "omega")
    linked.remove("b.py")
    linked.index()
    assert linked.mark("omega") == world.mark("alpha")
    assert linked.resolve(world.mark("beta")).status == RefStatus.GONE
    assert world.resolve(world.mark("beta")).status == RefStatus.PRESENT
    for one in (world, linked):
        assert one.check() == []
    with world.session() as session:
        assert {found.worktree for found in session.store.snapshots()} == {".", "../linked"}


@needs_git
def test_what_is_merged_from_another_worktree_is_known(world: World) -> None:
    world.commit()
    world.index()
    world.git("worktree", "add", "-q", "-b", "side", str(world.root.parent / "linked"))
    linked = World(world.root.parent / "linked")
    linked.write("new.py", A.replace("alpha", "fresh"))
    linked.commit()
    linked.index()
    world.git("merge", "-q", "side")
    world.index()
    assert world.mark("fresh") == linked.mark("fresh")


def test_a_folder_without_git_is_indexed(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": A, "sub/c.py": C})
    world.index()
    world.replace("a.py", "alpha", "omega")
    assert told(world.index().changes) == {"renamed": 1}
    with world.session() as session:
        assert session.view.snapshot.revision is None
        assert session.freshness.is_fresh


@needs_git
def test_a_repository_without_a_commit_is_indexed(world: World) -> None:
    with world.session() as session:
        assert (session.view.snapshot.branch, session.view.snapshot.revision) == ("main", None)


def test_another_format_keeps_every_identity(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade that packs outlines otherwise extracts again, also what has changed meanwhile."""
    before = world.marks()
    with writing(world.workspace, 1) as store:
        store.set_meta("format", 0)
        assert isinstance(store, SqliteStore)
        store.connection.execute("UPDATE extractions SET outline = x'00', extractor = 'older'")
        store.connection.execute("UPDATE snapshots SET extractor = 'older'")
    with pytest.raises(BirthmarkError, match="another version of birthmark"):
        world.marks()
    world.write("a.py", "import os\n\n" + A.replace("sorted", "list"))
    world.move("b.py", "moved.py")
    world.index()
    marks = {name.rpartition("::")[2]: mark for name, mark in world.marks().items()}
    assert marks == {name.rpartition("::")[2]: mark for name, mark in before.items()}
    assert world.check() == []


def test_another_format_keeps_the_identities_of_namesakes_in_a_line(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.js": "function f(a) { return a + 1 } function f(a, b) { return [b, a] }\n"})
    world.index()
    before = world.marks()
    assert len(before) == 2
    with writing(world.workspace, 1) as store:
        store.set_meta("format", 0)
        assert isinstance(store, SqliteStore)
        store.connection.execute("UPDATE extractions SET outline = x'00', extractor = 'older'")
        store.connection.execute("UPDATE snapshots SET extractor = 'older'")
    world.index()
    assert world.marks() == before
    assert world.check() == []


def test_another_extractor_keeps_every_identity(world: World) -> None:
    before = world.marks()

    def newer(tools: IndexTools) -> IndexTools:
        tools.extractor.version = "newer"
        return tools._replace(setup="newer")

    summary = world.index(newer)
    assert (summary.n_read, summary.n_extracted) == (3, 3)
    assert told(summary.changes) == {"unchanged": 4}
    assert world.marks() == before
    assert work_done(world, newer)[1] == 0


def test_full_detail_keeps_the_nodes(world: World) -> None:
    before = world.marks()
    assert world.index(detail=Detail.FULL).n_extracted == 3
    with world.session() as session:
        numbers = [file.version.extraction for file in session.view.files()]
        assert all(session.store.nodes(number) for number in numbers)
    assert world.marks() == before
    assert world.index(detail=Detail.FULL).n_extracted == 0


def test_kept_nodes_are_not_read_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with world.session() as session:
        read = [session.read_nodes(file) for file in session.view.files()]
    world.index(detail=Detail.FULL)
    monkeypatch.setattr("birthmark.extraction.extractor.Extractor._run", lambda *_: iter(()))
    with world.session() as session:
        assert [session.read_nodes(file) for file in session.view.files()] == read
        assert list(IndexListing(session).nodes()) == read


def test_an_update_of_some_paths_leaves_the_others(world: World) -> None:
    """As a watcher asks for it."""
    before = world.marks()
    world.replace("a.py", "alpha", "omega")
    world.replace("b.py", "beta", "changed")
    world.remove("sub/c.py")
    world.index(scope=frozenset({"a.py", "sub/c.py"}))
    assert world.marks() == {"a.py::omega": before["a.py::alpha"], "b.py::beta": before["b.py::beta"]}
    with world.session() as session:
        assert session.freshness.pending == ["b.py"]


# Nothing is lost on the way


def test_a_run_that_fails_leaves_the_index_as_it_was(world: World) -> None:
    before = world.marks()
    world.replace("a.py", "alpha", "omega")
    world.remove("b.py")

    def family_of(language: str) -> str:
        raise KeyError(language)

    with pytest.raises(KeyError):
        world.index(lambda tools: tools._replace(family_of=family_of))
    assert world.marks() == before
    summary = world.index()
    assert summary.n_extracted == 0  # What was extracted before it failed is kept.
    assert world.marks()["a.py::omega"] == before["a.py::alpha"]


def test_pending_files_are_told(world: World) -> None:
    world.replace("a.py", "x * 2", "x * 3")
    world.write("new.py", B)
    world.remove("sub/c.py")
    os.utime(world.root / "b.py")
    with world.session() as session:
        assert session.freshness.pending == ["a.py", "new.py", "sub/c.py"]


def test_edges_follow_what_is_renamed_moved_and_deleted(tmp_path: Path) -> None:
    call = "from a import alpha\n\n\ndef user(xs):\n    return alpha(xs)\n"
    world = World(tmp_path, {"a.py": A, "use.py": call})
    world.index()
    mark = world.mark("alpha")
    assert world.callers(mark) == ["user"]
    world.write("a.py", "# shifted\n\n" + A)
    world.index()
    assert world.callers(mark) == ["user"]
    world.remove("a.py")
    world.index()
    assert world.check() == []
    world.write("a.py", A)
    world.index()
    assert world.callers(mark) == ["user"]
    assert world.check() == []


def test_a_node_and_a_chunk_are_followed(world: World) -> None:
    with world.session() as session:
        held = session.view.file("b.py")
        assert held is not None
        reading = session.read_nodes(held)
        assert reading is not None
        uid = next(uid for uid, chunk in zip(reading.chunk_uids, reading.chunks, strict=True) if chunk.name == "beta")
        call = next(id_ for id_ in reading.semantic_ids if "split" in id_)
    world.write("moved.py", "import os\n\n\n" + B.replace("len(word)", "len(word) + 1"))
    world.remove("b.py")
    world.index()
    followed = world.resolve(call)
    assert followed.status == RefStatus.PRESENT
    assert followed.node is not None
    assert (followed.node[0], followed.node[1].start_line) == ("moved.py", 5)
    chunk = world.resolve(uid)
    assert chunk.status == RefStatus.PRESENT
    assert chunk.chunk is not None
    assert chunk.chunk[0].path == "moved.py"


def test_times_of_events_are_those_of_their_runs(world: World) -> None:
    world.replace("a.py", "x * 2", "x * 3")
    world.index()
    assert [happening.run.at for happening in world.recorded("alpha")] == [START, START + TICK]


def test_the_name_of_a_rust_type_means_the_type(tmp_path: Path) -> None:
    """Its `impl` blocks share it; a line still means what stands there."""
    world = World(
        tmp_path, {"a.rs": "pub struct A {\n    n: u8,\n}\n\nimpl A {\n    fn f(&self) -> u8 { self.n }\n}\n"}
    )
    world.index()
    assert world.entity("a.rs::A").entity.kind == "struct"
    assert world.entity("a.rs:5").entity.kind == "impl"


@needs_git
def test_an_update_pairs_as_a_comparison_does_where_a_file_is_left_without_definitions(tmp_path: Path) -> None:
    """A file that has none is there all the same, so that the other one is not that file renamed."""
    world = World(tmp_path, {"a.py": "def f():\n    return 1\n", "b.py": "# empty\n"}, with_git=True)
    before = world.commit()
    world.index()
    mark = world.mark("f")
    world.write("a.py", "# empty\n")
    world.write("b.py", "def f():\n    return 2\n")
    compared = [change.change for change in world.diff(before).changes]
    world.index()
    assert (world.mark("f") == mark) == (compared == ["relocated"])
