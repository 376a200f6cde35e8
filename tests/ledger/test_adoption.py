"""An id that was issued once resolves for ever: also after a replay, which finds the same things by itself."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.indexing.checking import repair_index
from birthmark.app.workspace.stores import reading, writing
from birthmark.errors import BirthmarkError
from birthmark.ledger.update import REPLAY_STATE, UNFINISHED, is_unfinished
from birthmark.vocabulary import RefStatus
from examples import n_examples
from running import birthmark
from small_repositories import make_repository, replay
from worlds import START, World, run_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

A = "def alpha(xs):\n    result = [x * 2 for x in xs if x]\n    return sorted(result)\n\n\n"
B = "def beta(text):\n    words = text.lower().split()\n    return {word: len(word) for word in words}\n\n\n"
RENAMED = A.replace("alpha", "omega")
LATER = START + 10**6


def indexed_then_replayed(root: Path, *, now: int = LATER) -> tuple[World, dict[str, str]]:
    """A function that was renamed in the past, with the marks that an index gave before the replay."""
    world = make_repository(root, [{"a.py": A}, {"a.py": A, "b.py": B}, {"a.py": RENAMED, "b.py": B}])
    world.now = now
    world.index()
    marks = world.marks()
    replay(world.root)
    return world, marks


def test_what_was_indexed_resolves_after_a_replay(tmp_path: Path) -> None:
    world, marks = indexed_then_replayed(tmp_path / "root")
    for name, mark in marks.items():
        assert world.entity(mark).entity.qualified_name == name.partition("::")[2]
    assert world.events(marks["a.py::omega"]) == ["born", "renamed"]


def test_the_older_birth_wins(tmp_path: Path) -> None:
    world, marks = indexed_then_replayed(tmp_path / "root")
    fresh = make_repository(tmp_path / "fresh", [{"a.py": A}, {"a.py": A, "b.py": B}, {"a.py": RENAMED, "b.py": B}])
    replay(fresh.root)
    assert world.marks() == fresh.marks() != marks
    assert world.key("a.py::omega") == f"python:fn:omega:__a_py:T{START}"
    early, marks = indexed_then_replayed(tmp_path / "early", now=START - 10)
    assert early.marks() == marks
    for mark in fresh.marks().values():
        assert early.resolve(mark).status is RefStatus.PRESENT, "what other clones call it is known as well"
    assert early.check() == world.check() == []


def test_lives_run_forwards(tmp_path: Path) -> None:
    world, marks = indexed_then_replayed(tmp_path / "root")
    for mark in marks.values():
        times = [event.run.at for event in world.recorded(mark)]
        assert times == sorted(times)
        assert "revived" not in world.events(mark)


def test_old_keys_lead_to_the_same(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    world.now = LATER
    world.index()
    key = world.key("omega")
    replay(world.root)
    assert key.endswith(f":T{LATER}")
    assert world.entity(key).mark == world.mark("omega")


def test_what_was_not_committed_is_adopted(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    world.now = LATER
    world.replace("a.py", "x * 2", "x * 3")
    world.write("new.py", B)
    world.index()
    marks = world.marks()
    replay(world.root)
    assert world.entity(marks["a.py::omega"]).mark == world.mark("a.py::omega")
    assert world.events("a.py::omega") == ["born", "renamed", "modified"]
    assert world.mark("new.py::beta") == marks["new.py::beta"]
    assert world.check() == []


def test_what_is_committed_later_keeps_its_mark(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}])
    replay(world.root)
    world.write("b.py", B)
    world.now = START + 50
    world.index()
    mark = world.mark("beta")
    world.git("add", "-A")
    run_git(world.root, "commit", "-q", "-m", "m", at=START + 60)
    replay(world.root)
    assert world.mark("beta") == mark
    run_git(tmp_path, "clone", "-q", str(world.root), str(tmp_path / "clone"))
    replay(tmp_path / "clone")
    other = World(tmp_path / "clone").mark("beta")
    assert other != mark
    assert world.entity(other).mark == mark, "the name that another clone gave it"


def test_notes_and_subscriptions_follow(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    world.now = LATER
    world.index()
    assert birthmark("note", "omega", "careful", cwd=world.root).returncode == 0
    assert birthmark("subscribe", "omega", cwd=world.root).returncode == 0
    replay(world.root)
    assert "careful" in birthmark("notes", "omega", cwd=world.root).stdout
    assert "careful" in birthmark("show", "omega", cwd=world.root).stdout
    world.replace("a.py", "x * 2", "x * 4")
    assert "omega" in birthmark("scan", cwd=world.root).stdout
    assert "deleted" not in birthmark("notes", cwd=world.root).stdout


def test_a_restored_ledger_knows_what_was_merged(tmp_path: Path) -> None:
    world, marks = indexed_then_replayed(tmp_path / "root")
    now = world.marks()
    for file in (world.root / ".birthmark").glob("index.db*"):
        file.unlink()
    repair_index(world.workspace, 0)
    assert world.marks() == now
    assert {world.entity(mark).mark for mark in marks.values()} == set(now.values())
    repair_index(world.workspace, 0)
    assert world.check() == []


def test_a_second_replay_merges_nothing_more(tmp_path: Path) -> None:
    world, marks = indexed_then_replayed(tmp_path / "root", now=START - 10)
    replay(world.root)
    replay(world.root)
    assert world.marks() == marks


def test_a_linked_worktree_is_adopted_too(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    world.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"), "HEAD")
    linked = World(tmp_path / "linked")
    linked.now = LATER
    linked.write("a.py", RENAMED + B)
    linked.index()
    marks = linked.marks()
    replay(world.root)
    assert linked.entity(marks["a.py::omega"]).entity.path == "a.py"
    linked.index()
    assert linked.entity(marks["a.py::omega"]).mark == world.mark("omega")
    assert linked.entity(marks["a.py::beta"]).mark == marks["a.py::beta"]


def test_an_index_that_was_replayed_backwards_is_made_anew(tmp_path: Path) -> None:
    """Version 0.1 let commits revive what was first seen after them."""
    world, marks = indexed_then_replayed(tmp_path / "root")
    issued = {**marks, **world.marks()}
    with writing(world.workspace, 0) as store:
        seen = store.identities_marked([marks["b.py::beta"]])[0].identity
        runs = dict(store._query("SELECT worktree, max(run) FROM runs GROUP BY worktree"))  # type: ignore[attr-defined]
        event = (999, seen, runs.pop(""), "revived", 1, "beta", 1, 1, "", None, None)
        with store.writing():
            store._insert("events", [event])  # type: ignore[attr-defined]
            statement = "UPDATE identities SET run = ? WHERE identity = ?"
            store._execute(statement, *runs.values(), seen)  # type: ignore[attr-defined]
        assert store.is_replay_backwards()
    assert replay(world.root).n_new == 3
    with reading(world.workspace) as store:
        assert not store.is_replay_backwards()
    for name, mark in issued.items():
        assert world.entity(mark).entity.qualified_name == name.partition("::")[2]
    assert world.events("omega") == ["born", "renamed"]


# Interrupted replays


def test_what_was_asked_for_is_known_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A + B}, {"a.py": RENAMED + B}])
    monkeypatch.setattr("birthmark.ledger.replay._Replay._fold", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        replay(world.root)
    monkeypatch.undo()
    world.now = LATER
    world.index()  # as a question does, before it is answered
    status = birthmark("status", cwd=world.root).stdout
    assert "unfinished" in status
    assert "as old as the code" not in status
    done = birthmark("index", cwd=world.root)
    assert "replayed 3 of 3 commits" in done.stdout
    assert "as old as the code" in birthmark("status", cwd=world.root).stdout
    assert world.events("omega") == ["born", "renamed"]


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_clone_without_contents_is_not_replayed(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    world.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{world.root}", "clone")
    clone = World(tmp_path / "clone")
    with pytest.raises(BirthmarkError, match="is not in this clone, so its history cannot be replayed"):
        replay(clone.root)
    with reading(clone.workspace) as store:
        assert is_unfinished(store)
        assert not store.replayed_commits()
    run_git(clone.root, "fetch", "-q", "--refetch", "--no-filter")
    replay(clone.root)
    assert clone.events("omega") == ["born", "renamed"]


def test_a_replay_of_an_unfinished_one_ends_it(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}])
    replay(world.root)
    with writing(world.workspace, 0) as store:
        store.set_meta(REPLAY_STATE, UNFINISHED)
    replay(world.root)
    with reading(world.workspace) as store:
        assert not is_unfinished(store)


def test_doctor_heals_what_lacked_contents(tmp_path: Path) -> None:
    """A replay by version 0.1 in a clone without blobs took every file for unchanged."""
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    replay(world.root)
    with writing(world.workspace, 0) as store, store.writing():
        unread = [(1, run, 0) for run in store.replayed_commits().values()]
        store._insert("removed_files", unread)  # type: ignore[attr-defined]
    done = birthmark("doctor", cwd=world.root)
    assert "lacked files that are there now; 2 commits were replayed" in done.stdout
    assert world.events("omega") == ["born", "renamed"]
    assert "lacked" not in birthmark("doctor", cwd=world.root).stdout


def test_doctor_continues_an_interrupted_replay(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": RENAMED}])
    with writing(world.workspace, 0) as store:
        store.set_meta(REPLAY_STATE, UNFINISHED)
    assert "unfinished; 2 commits were replayed" in birthmark("doctor", cwd=world.root).stdout
    assert world.events("omega") == ["born", "renamed"]


# Any moments at which ids are issued


class Life:
    """A repository in which each function has words of its own, by which it is known whatever it is called."""

    def __init__(self, root: Path, seed: int) -> None:
        self.random, self.world = random.Random(seed), World(root, with_git=True)  # noqa: S311  nothing secret
        self.functions: dict[int, list[str]] = {}  # path, name, last statement
        self.issued: dict[str, int] = {}  # the function of each id
        self.n_commits = self.n_functions = 0
        self.world.now = LATER
        for _ in range(4):
            self.add()
        self.commit()

    def add(self) -> None:
        self.n_functions += 1
        number = self.n_functions
        self.functions[number] = [f"m{self.random.randrange(3)}.py", f"name_{number}", f"done_{number}"]
        self._write()

    def rename(self) -> None:
        function = self.random.choice(list(self.functions.values()))
        function[1] += "x"
        self._write()

    def move(self) -> None:
        function = self.random.choice(list(self.functions.values()))
        function[0] = f"m{self.random.randrange(4)}.py"
        self._write()

    def edit(self) -> None:
        function = self.random.choice(list(self.functions.values()))
        function[2] += "_again"
        self._write()

    def commit(self) -> None:
        self.n_commits += 1
        self.world.git("add", "-A")
        run_git(self.world.root, "commit", "-q", "--allow-empty", "-m", "m", at=START + self.n_commits)

    def amend(self) -> None:
        self.world.git("add", "-A")
        self.world.git("commit", "-q", "--amend", "--allow-empty", "-m", "amended")

    def squash(self) -> None:
        """The last two commits, as a rebase does."""
        if int(self.world.git("rev-list", "--count", "HEAD")) > 2:
            self.world.git("reset", "-q", "--soft", "HEAD~2")
            self.commit()

    def rebase(self) -> None:
        """The last commit, onto another one that a colleague made before it."""
        self.commit()
        if int(self.world.git("rev-list", "--count", "HEAD")) > 2:
            self.world.git("checkout", "-q", "-b", "colleague", "HEAD~1")
            run_git(self.world.root, "commit", "-q", "--allow-empty", "-m", "c", at=START + self.n_commits)
            self.world.git("checkout", "-q", "main")
            self.world.git("rebase", "-q", "colleague")
            self.world.git("branch", "-q", "-D", "colleague")

    def index(self) -> None:
        self.world.index()
        self._note()

    def replay(self) -> None:
        replay(self.world.root)
        self._note()

    def restore(self) -> None:
        """The database is lost, the log is not. The log has no code, so a rename that came after it would be lost."""
        if (self.world.root / ".birthmark" / "index.db").exists():
            self.index()
            for file in (self.world.root / ".birthmark").glob("index.db*"):
                file.unlink()
            repair_index(self.world.workspace, 0)
            self._note()

    def switch(self) -> None:
        """To a commit of the past and back, as a branch switch does; what was renamed meanwhile was seen before."""
        self.commit()
        self.index()
        self.world.git("checkout", "-q", "--detach", f"HEAD~{min(2, self.n_commits - 1)}")
        self.world.index()
        self.world.git("checkout", "-q", "main")
        self.index()

    def _write(self) -> None:
        texts: dict[str, str] = {f"m{number}.py": "" for number in range(4)}
        for number, (path, name, last) in sorted(self.functions.items()):
            words = "".join(f"    word_{number}_{i} = part_{number}_{i}(source_{number})\n" for i in range(6))
            texts[path] += f"def {name}(source_{number}):\n{words}    return {last}(source_{number})\n\n\n"
        for path, text in texts.items():
            self.world.write(path, text)

    def _note(self) -> None:
        names = {name: number for number, (_, name, _) in self.functions.items()}
        for held in self.world.entities():
            if held.entity.name in names:
                self.issued[held.mark] = self.issued[held.key] = names[held.entity.name]


STEPS = (
    *("add", "rename", "move", "edit", "commit", "amend", "squash", "rebase"),
    *("index", "replay", "restore", "switch"),
)


@settings(max_examples=n_examples(12), deadline=None)
@given(st.integers(0, 10_000), st.lists(st.sampled_from(STEPS), min_size=4, max_size=14))
def test_every_id_resolves_to_what_it_named(seed: int, steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder) / "root", seed)
        for step in (*steps, "index", "commit", "replay"):
            getattr(life, step)()
        for id_, number in life.issued.items():
            resolved = life.world.resolve(id_)
            assert resolved.indexed is not None, (id_, resolved.status, life.functions[number])
            assert resolved.indexed.entity.name == life.functions[number][1], id_


# Replays by another version


def test_a_replay_by_another_version_is_made_anew_in_place(tmp_path: Path) -> None:
    """The size of chunks is a part of the version, as are languages and this program."""
    gone = {"a.py": A, "b.py": B}
    world = make_repository(tmp_path / "root", [{"a.py": A}, gone, {"a.py": RENAMED}, {"a.py": RENAMED, "c.py": B}])
    assert replay(world.root).n_new == 4
    world.write("d.py", A.replace("alpha", "uncommitted"))
    world.index()
    issued, keys = world.marks(), {name: world.key(name.partition("::")[2]) for name in world.marks()}
    with reading(world.workspace) as store:
        everything = {one.mark for one in store.identities(range(1, store.count_identities() + 1))}
        marks = everything - {world.mark("uncommitted")}
        lives = {mark: [one.event.change for one in world.recorded(mark)] for mark in marks}
    world.write("birthmark.toml", "[chunks]\nlongest = 3000\n")
    assert "so git is walked" in birthmark("status", cwd=world.root).stdout
    for n_replayed in (4, 0):
        assert replay(world.root).n_new == n_replayed
        world.index()
        assert world.marks() == issued
        assert {name: world.key(name.partition("::")[2]) for name in issued} == keys
        assert {mark: [one.event.change for one in world.recorded(mark)] for mark in lives} == lives
        assert world.check() == []
    assert "as old as the code" in birthmark("status", cwd=world.root).stdout
