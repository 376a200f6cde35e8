"""Replaying history: births are the introducing commits' times, every clone issues the same, a kill loses nothing."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from birthmark.app.answers.revision_lookup import RevisionLookup
from birthmark.app.indexing.checking import repair_index
from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.stores import reading, writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.ledger import replay as replay_module
from birthmark.ledger.prefetch import ReadyPairing
from birthmark.queries.life import deleted_from
from examples import n_examples
from running import birthmark
from small_repositories import Commit, Files, make_repository, replay
from worlds import START, World, run_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

A = "def alpha(xs):\n    result = [x * 2 for x in xs if x]\n    return sorted(result)\n\n\n"
A2 = A.replace("x * 2", "x * 3 + 1")
A3 = A.replace("x * 2", "x * 5 - 2")
B = "def beta(text):\n    words = text.lower().split()\n    return {word: len(word) for word in words}\n\n\n"
B2 = B.replace("lower", "upper")
C = "def gamma(table, key):\n    value = table.get(key, 0)\n    table[key] = value + 1\n    return value\n\n\n"


def dump(root: Path) -> list[tuple[object, ...]]:
    """What the ledger knows, in words that no clone or run has a say in."""
    with reading(find_workspace(root)) as store:
        commits = {run: revision for revision, run in store.replayed_commits().items()}
        known = {found.identity: found for found in store.identities(range(store.count_identities() + 1))}
        keys = [(row.text, known[row.identity].mark) for row in store.keys_of(list(known))]
        born = [(found.mark, found.key, commits.get(found.run), *found[4:]) for found in known.values()]
        events = [
            (known[event.identity].mark, commits[event.run], *event[2:])
            for event in store.events_of(list(known))
            if event.run in commits
        ]
        derivations = [
            (known[row.source].mark, known[row.derivative].mark, commits[row.run], *row[3:])
            for row in store.derivations_of(list(known))
            if row.run in commits
        ]
    return [*sorted(keys), *sorted(born, key=str), *events, *derivations]


def short_events(world: World, ref: str, commits: Sequence[str]) -> list[str]:
    """As in `born 0`, with the number of the commit."""
    happenings = world.recorded(ref)
    return [f"{h.event.change} {commits.index(h.run.revision or '')}" for h in happenings]


def commits_of(world: World, count: int) -> list[str]:
    return [world.git("rev-parse", f"refs/heads/work{number}") for number in range(count)]


# What each commit did. A name stands for a function; expected are its events, by the numbers of the commits.

CASES: dict[str, tuple[list[Commit | Files], dict[str, list[str]]]] = {
    "born, modified": ([{"a.py": A}, {"a.py": A2}], {"a.py::alpha": ["born 0", "modified 1"]}),
    "shifts of lines are not told": ([{"a.py": A}, {"a.py": C + A}], {"a.py::alpha": ["born 0"]}),
    "renamed file": ([{"a.py": A + B}, {"b.py": A + B}], {"b.py::alpha": ["born 0", "relocated 1"]}),
    "revert": (
        [{"a.py": A + B}, {"a.py": A}, {"a.py": A + B}],
        {"a.py::beta": ["born 0", "deleted 1", "revived 2"], "a.py::alpha": ["born 0"]},
    ),
    "files change places": (
        [{"a.py": A, "b.py": B}, {"a.py": B, "b.py": A}],
        {"b.py::alpha": ["born 0", "relocated 1"], "a.py::beta": ["born 0", "relocated 1"]},
    ),
    "a merge brings what a branch made": (
        [{"a.py": A}, {"a.py": A2}, Commit({"a.py": A, "b.py": B}, (0,)), Commit({"a.py": A2, "b.py": B}, (1, 2))],
        {"b.py::beta": ["born 2"], "a.py::alpha": ["born 0", "modified 1"]},
    ),
    "both sides of a merge changed a file": (
        [
            {"a.py": A + B},
            {"a.py": A2 + B},
            Commit({"a.py": A + B2 + C}, (0,)),
            Commit({"a.py": A2 + B2 + C}, (1, 2)),
        ],
        {"a.py::alpha": ["born 0", "modified 1"], "a.py::beta": ["born 0", "modified 2"], "a.py::gamma": ["born 2"]},
    ),
    "a merge changes something itself": (
        [{"a.py": A}, {"a.py": A2}, Commit({"a.py": A, "b.py": B}, (0,)), Commit({"a.py": A3, "b.py": B2}, (1, 2))],
        {"a.py::alpha": ["born 0", "modified 1", "modified 3"], "b.py::beta": ["born 2", "modified 3"]},
    ),
    "a branch moved all that was in a file": (
        [
            {"a.py": A, "b.py": B},
            {"a.py": A, "b.py": B, "c.py": C},
            Commit({"a.py": "", "b.py": B + A}, (0,)),
            Commit({"a.py": "", "b.py": B + A, "c.py": C}, (1, 2)),
        ],
        {"b.py::alpha": ["born 0", "relocated 2"]},
    ),
    "a branch deleted it": (
        [
            {"a.py": A + B, "c.py": C},
            {"a.py": A2 + B, "c.py": C},
            Commit({"a.py": A, "c.py": C}, (0,)),
            Commit({"a.py": A2, "c.py": C}, (1, 2)),
            {"a.py": A2 + B, "c.py": C},
        ],
        {"a.py::beta": ["born 0", "deleted 2", "revived 4"]},
    ),
    "only the merge deletes it": (
        [
            {"a.py": A},
            {"a.py": A + B},
            Commit({"a.py": A2}, (0,)),
            Commit({"a.py": A2}, (1, 2)),
            {"a.py": A2 + B},
        ],
        {"a.py::beta": ["born 1", "deleted 3", "revived 4"]},
    ),
    "cherry-pick": (
        [
            {"a.py": A},
            Commit({"a.py": A, "c.py": C}),
            Commit({"a.py": A + B}, (0,)),
            Commit({"a.py": A + B, "c.py": C}, (1,), START + 2),
            Commit({"a.py": A + B, "c.py": C}, (3, 2)),
        ],
        {"a.py::beta": ["born 3", "revived 2"]},
    ),
    "octopus": (
        [
            {"a.py": A},
            Commit({"a.py": A, "b.py": B}, (0,)),
            Commit({"a.py": A, "c.py": C}, (0,)),
            Commit({"a.py": A2}, (0,)),
            Commit({"a.py": A2, "b.py": B, "c.py": C}, (1, 2, 3)),
        ],
        {"b.py::beta": ["born 1"], "c.py::gamma": ["born 2"], "a.py::alpha": ["born 0", "modified 3"]},
    ),
    "moved on a branch, changed on the other": (
        [
            {"a.py": A + B},
            {"a.py": A2 + B},
            Commit({"b.py": A + B}, (0,)),
            Commit({"b.py": A2 + B}, (1, 2)),
        ],
        {"b.py::beta": ["born 0", "relocated 2"]},
    ),
    "nothing of ours changes": ([{"a.py": A}, {"a.py": A, "x.bin": "1"}], {"a.py::alpha": ["born 0"]}),
    "a script without an extension": (
        [{"tool": "#!/usr/bin/env python3\n" + A}, {"tool": "#!/usr/bin/env python3\n" + A2}],
        {"tool::alpha": ["born 0", "modified 1"]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_events(name: str, tmp_path: Path) -> None:
    commits, expected = CASES[name]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    ids = commits_of(world, len(commits))
    assert {ref: short_events(world, ref, ids) for ref in expected} == expected
    assert world.check() == []


# Some histories at once.

TOOL = "#!/usr/bin/env python3\n" + C.replace("gamma", "tool")
NOTE = "This was a script once.\n"
BRANCHED: list[Commit | Files] = [
    {"a.py": A, "tool": TOOL},
    {"a.py": A + B, "tool": TOOL},
    Commit({"a.py": A, "c.py": C + A, "tool": TOOL}, (0,)),
    Commit({"a.py": A2, "c.py": C + A2, "tool": TOOL}, (2,)),
    Commit({"a.py": A2 + B, "c.py": C + A2, "tool": NOTE}, (1, 3)),
    {"b.py": A2 + B, "c.py": C + A2, "tool": NOTE},
    Commit({"b.py": A2 + B2, "tool": NOTE}, (5,)),
    Commit({"b.py": A3 + B, "c.py": C + A, "tool": NOTE}, (5,)),
    Commit({"b.py": A3 + B2, "tool": NOTE}, (7, 6)),
    Commit({"b.py": A3 + B2, "a.py": A, "tool": NOTE}, (6, 7)),
    Commit({"b.py": A3 + B2, "a.py": A, "tool": NOTE}, (8, 9)),
    {"b.py": A3 + B2, "a.py": A, "c.py": C + A},
]


def test_births_are_author_times(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [Commit({"a.py": A}, None, 1_000), Commit({"a.py": A + B}, None, 900)])
    replay(world.root)
    assert world.key("a.py::alpha") == "python:fn:alpha:__a_py:T1000"
    assert world.key("a.py::beta") == "python:fn:beta:__a_py:T900"


def test_births_of_namesakes_differ(tmp_path: Path) -> None:
    """Two that are born in the same place in the same second; the ledger never gives a key twice."""
    commits = [Commit({"a.py": "x = 1\n" + A + A2}, None, 1_000), Commit({"a.py": B}, None, 1_000)]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    keys = [row[0] for row in dump(world.root) if str(row[0]).startswith("python:fn:alpha")]
    assert keys == ["python:fn:alpha:__a_py:T1000", "python:fn:alpha:__a_py:T1001"]


def test_every_clone_issues_the_same(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", BRANCHED)
    replay(world.root)
    run_git(tmp_path, "clone", "-q", "--no-local", "root", "clone")
    run_git(tmp_path, "clone", "-q", "clone", "again")
    run_git(tmp_path / "again", "repack", "-q", "-a", "-d", "-f")
    run_git(tmp_path / "again", "checkout", "-q", "--detach")
    for name in ("clone", "again"):
        replay(tmp_path / name)
        assert dump(tmp_path / name) == dump(world.root)
        assert World(tmp_path / name).marks() == world.marks()
    before = dump(world.root)
    shutil.rmtree(world.root / ".birthmark")
    replay(world.root)
    assert dump(world.root) == before


def test_equal_times_are_told_apart_by_the_graph(tmp_path: Path) -> None:
    commits = [Commit(*(commit if isinstance(commit, Commit) else (commit, None))[:2], 1_000) for commit in BRANCHED]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    run_git(tmp_path, "clone", "-q", "root", "clone")
    replay(tmp_path / "clone")
    assert dump(tmp_path / "clone") == dump(world.root)


@pytest.mark.parametrize("n_commits", [1, 2, 5, 6, 9, 11])
def test_following_a_branch_is_replaying_it_at_once(tmp_path: Path, n_commits: int) -> None:
    world = make_repository(tmp_path / "root", BRANCHED)
    replay(world.root)
    chain = world.git("rev-list", "--first-parent", "HEAD").split()
    run_git(tmp_path, "clone", "-q", "root", "clone")
    clone = World(tmp_path / "clone")
    for commit in (chain[min(n_commits, len(chain) - 1)], chain[0]):
        clone.git("checkout", "-q", commit)
        replay(clone.root)
        assert clone.check() == []
    assert dump(clone.root) == dump(world.root)
    assert clone.marks() == world.marks()


class _StopError(Exception):
    pass


def test_an_interrupted_replay_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped after every commit, it says the same in the end."""
    monkeypatch.setattr(replay_module, "_CHUNK", 1)
    world = make_repository(tmp_path / "root", BRANCHED)
    replay(world.root)
    expected, marks = dump(world.root), world.marks()
    shutil.rmtree(world.root / ".birthmark")

    def interrupt(stage: str, done: int, total: int) -> None:
        if done:
            raise _StopError

    n_interrupted = 0
    while n_interrupted <= len(BRANCHED):
        try:
            replay(world.root, IndexOptions(1, None, interrupt))
            break
        except _StopError:
            n_interrupted += 1
    assert n_interrupted == len(BRANCHED)
    replay(world.root)
    assert (dump(world.root), world.marks()) == (expected, marks)


@pytest.mark.slow
def test_a_killed_replay_goes_on(tmp_path: Path) -> None:
    """By the system, at any moment."""
    shuffled = random.Random(7)  # noqa: S311  nothing secret
    files, commits = {"a.py": A, "b.py": B}, list[Commit | Files]()
    for number in range(1200):
        path = f"m{shuffled.randrange(40)}.py"
        files = {**files, path: C.replace("gamma", f"gamma{number % 7}").replace("+ 1", f"+ {number}") + A}
        commits.append(files)
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    expected, marks = dump(world.root), world.marks()
    shutil.rmtree(world.root / ".birthmark")
    command = [sys.executable, "-m", "birthmark", "index", "--from-history", "--jobs", "1"]
    n_killed = 0
    for seconds in (0.9, 1.2, 1.5, 1.1):
        process = subprocess.Popen(command, cwd=world.root, stdout=subprocess.DEVNULL)
        time.sleep(seconds)
        n_killed += process.poll() is None
        process.kill()
        process.wait()
    assert n_killed
    replay(world.root)
    assert (dump(world.root), world.marks()) == (expected, marks)


def test_a_lost_database_costs_no_mark(tmp_path: Path) -> None:
    """The log knows what was replayed; commits that come later find everybody, though no outline is left."""
    world = make_repository(tmp_path / "root", BRANCHED)
    replay(world.root)
    marks, chain = world.marks(), world.git("rev-list", "--first-parent", "HEAD").split()
    shutil.rmtree(world.root / ".birthmark")
    world.git("checkout", "-q", chain[2])
    n_replayed = replay(world.root).n_new
    (world.root / ".birthmark/index.db").unlink()
    repair_index(world.workspace, 1)
    world.git("checkout", "-q", "main")
    assert replay(world.root).n_new == len(BRANCHED) - n_replayed
    assert world.marks() == marks
    assert world.check() == []


def test_a_second_replay_does_nothing(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", BRANCHED)
    assert replay(world.root).n_new == len(BRANCHED)
    again = replay(world.root)
    assert (again.n_new, again.n_extracted, again.changes) == (0, 0, {})


def test_the_index_stands_where_history_ended(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", BRANCHED)
    workspace = find_workspace(world.root)
    world.write("b.py", A3 + B2 + C)
    with writing(workspace, 0) as store:
        replay_worktree(store, workspace, IndexOptions(1))
        summary = index_worktree(store, workspace, IndexOptions(1))
    assert {change: number for change, number in summary.changes.items() if change != "unchanged" and number} == {
        "born": 1
    }
    assert summary.n_extracted == 1
    with world.session() as session:
        assert session.freshness.is_fresh
    assert world.check() == []


def test_what_was_issued_before_stays(tmp_path: Path) -> None:
    """Who was indexed by the clock keeps its mark when history is replayed."""
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A2 + B}])
    world.index()
    marks = world.marks()
    replay(world.root)
    assert world.marks() == marks
    assert world.check() == []


def test_rewritten_history_is_added(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A + B}])
    replay(world.root)
    marks = world.marks()
    world.git("commit", "-q", "--amend", "-m", "another")
    assert replay(world.root).n_new == 1
    assert world.marks() == marks


def test_marks_survive_a_history_whose_paths_are_rewritten(tmp_path: Path) -> None:
    commits = [{"a.py": A}, {"a.py": A + B, "twin.py": A + B}, {"a.py": A2 + B, "twin.py": A + B}]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    marks = world.marks()
    moved = make_repository(tmp_path / "moved", [{f"in/{path}": text for path, text in c.items()} for c in commits])
    world.git("fetch", "-q", str(moved.root), "main")
    world.git("reset", "-q", "--hard", "FETCH_HEAD")
    assert replay(world.root).n_new == 3
    assert world.marks() == {f"in/{name}": mark for name, mark in marks.items()}
    assert world.check() == []


def test_a_shallow_clone_starts_where_it_is_cut_off(tmp_path: Path) -> None:
    make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A + B}, {"a.py": A + B2}])
    run_git(tmp_path, "clone", "-q", "--depth=2", f"file://{tmp_path}/root", "clone")
    replayed = replay(tmp_path / "clone")
    assert replayed.n_commits == 2
    assert "shallow" in replayed.problems[0].problem
    assert World(tmp_path / "clone").key("a.py::alpha") == f"python:fn:alpha:__a_py:T{START + 1}"


def test_an_empty_repository(tmp_path: Path) -> None:
    world = World(tmp_path / "root", {"a.py": A}, with_git=True)
    assert replay(world.root).n_commits == 0
    assert world.mark("a.py::alpha")


def test_long_ids(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A2}], object_format="sha256")
    replay(world.root)
    assert world.events("a.py::alpha") == ["born", "modified"]


def test_what_the_clone_lacks_ends_a_replay(tmp_path: Path) -> None:
    """Passed over, it would seem to be unchanged for ever."""
    commits = [{"a.py": A, "b.py": B}, {"a.py": A2, "b.py": B}, {"a.py": A3, "b.py": B2}]
    world = make_repository(tmp_path / "root", commits)
    blob = world.git("rev-parse", "work1:a.py")
    file = world.root / ".git/objects" / blob[:2] / blob[2:]
    file.rename(tmp_path / "blob")
    with pytest.raises(BirthmarkError, match=f"a.py: blob {blob[:12]} is not in this clone"):
        replay(world.root)
    (tmp_path / "blob").rename(file)
    replay(world.root)
    assert short_events(world, "a.py::alpha", commits_of(world, 3)) == ["born 0", "modified 1", "modified 2"]


def test_where_it_stood(tmp_path: Path) -> None:
    """At a commit, along its own past; on another branch it stood elsewhere."""
    commits: list[Commit | Files] = [
        {"a.py": A},
        {"b.py": A},
        Commit({"a.py": B + A2}, (0,)),
        Commit({"c.py": C}, (1, 2)),
    ]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    ids = commits_of(world, len(commits))
    mark = f"python:fn:alpha:__a_py:T{START}"
    answer = world.resolve(mark)
    assert answer.status == "gone"
    assert answer.identity is not None
    with world.session() as session:
        found = [RevisionLookup(session, commit).location(answer)[1] for commit in ids]
    places = [f"{entity.path}:{entity.start_line}" if entity else None for entity in found]
    assert places == ["a.py:1", "b.py:1", "a.py:6", None]
    with world.session() as session, pytest.raises(BirthmarkError, match="unknown revision"):
        RevisionLookup(session, "nowhere")


def test_what_was_deleted_from_a_file(tmp_path: Path) -> None:
    commits = [{"a.py": A + B + C}, {"a.py": A}, {"a.py": A + B}, {"x.py": C.replace("gamma", "other")}]
    world = make_repository(tmp_path / "root", commits)
    replay(world.root)
    ids = commits_of(world, len(commits))
    with world.session() as session:
        found = deleted_from(session.view, "a.py")
    told = {(d.deletion.event.qualified_name, ids.index(d.deletion.run.revision or "")) for d in found}
    assert {("alpha", 3), ("beta", 3)} <= told
    assert all(d.indexed is None or d.indexed.entity.path == "x.py" for d in found)


def test_ids_of_what_is_long_gone(tmp_path: Path) -> None:
    """History is only sketched; what is asked for is read again."""
    world = make_repository(tmp_path / "root", [{"a.py": A}, {"a.py": A + B}, {"a.py": C}])
    replay(world.root)
    gone = world.resolve("a.py->FUNCTION->beta[in:global]")
    assert gone.status == "gone"
    assert [happening.event.change for happening in gone.events] == ["born", "deleted"]
    assert world.resolve("a.py->FUNCTION->nobody[in:global]").status == "unknown"


def test_the_commands(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "root", [{"a.py": A + B}, {"a.py": A2}])

    def run(*arguments: str) -> str:
        result = birthmark(*arguments, cwd=world.root)
        assert result.returncode == 0, result
        return result.stdout

    time.sleep(0.06)  # A file that was written longer ago is not read again.
    assert "replayed 2 of 2 commits" in run("index", "--from-history", "--jobs", "1")
    again = json.loads(run("index", "--from-history", "--json"))
    assert (again["replayed"]["commits"], again["replayed"]["new"], again["read"]) == (2, 0, 0)
    deleted = json.loads(run("entities", "a.py", "--deleted", "--json"))
    assert [(found["before"]["qualified_name"], found["deletion"]["commit"]) for found in deleted] == [
        ("beta", world.git("rev-parse", "HEAD"))
    ]
    answer = json.loads(run("resolve", deleted[0]["mark"], "--at", "HEAD~1", "--json"))
    assert answer["at"]["place"] == {"path": "a.py", "qualified_name": "beta", "start_line": 6, "end_line": 8}
    assert "it was not there" in run("resolve", deleted[0]["mark"], "--at", "HEAD")


SOURCES = st.lists(st.sampled_from([A, A2, B, B2, C]), min_size=0, max_size=3, unique_by=lambda text: text[:8])
TREES = st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py"]), SOURCES.map("".join), max_size=3)
STEPS = st.lists(st.tuples(TREES, st.lists(st.integers(0, 30), max_size=3), st.integers(0, 3)), min_size=1, max_size=9)


@given(STEPS, st.integers(0, 9))
@settings(max_examples=n_examples(20), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Files, list[int], int]], cut: int
) -> None:
    """Interrupted or not, at every merge: nobody is in two places, and the index is what a rebuild would be."""
    folder = tmp_path_factory.mktemp("graph")
    commits = [
        Commit(files, tuple(dict.fromkeys([number - 1, *(p % number for p in more)])) if number else (), 1_000 + at)
        for number, (files, more, at) in enumerate(steps)
    ]
    world = make_repository(folder / "root", commits)
    replay(world.root)
    assert world.check() == []
    run_git(folder, "clone", "-q", "root", "clone")
    clone = World(folder / "clone")
    clone.git("checkout", "-q", commits_of(world, len(commits))[min(cut, len(commits) - 1)])
    replay(clone.root)
    clone.git("checkout", "-q", "main")
    replay(clone.root)
    assert clone.check() == []
    assert dump(clone.root) == dump(world.root)
    assert clone.marks() == world.marks()


@given(STEPS)
@settings(max_examples=n_examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_paired_on_the_workers_or_while_it_is_folded(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[Files, list[int], int]]
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    commits = [
        Commit(files, tuple(dict.fromkeys([number - 1, *(p % number for p in more)])) if number else (), 1_000 + at)
        for number, (files, more, at) in enumerate(steps)
    ]
    world = make_repository(folder / "root", commits)
    run_git(folder, "clone", "-q", "root", "clone")
    replay(world.root, IndexOptions(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReadyPairing, "of", lambda *_: None)
        replay(folder / "clone")
    assert dump(folder / "clone") == dump(world.root)


def test_commits_are_paired_on_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another extension, or an attribute, gives another language is paired where it is folded."""
    used: list[bool] = []
    find = ReadyPairing.of

    def watch(self: ReadyPairing, *files: Sequence[tuple[str, int]]) -> object:
        found = find(self, *files)
        used.append(found is not None)
        return found

    monkeypatch.setattr(ReadyPairing, "of", watch)
    script = "#!/usr/bin/env python3\n" + A
    make_repository(
        tmp_path / "root", [{"a.py": A}, {"a.py": A2 + B}, {"b.py": A2 + B}, {"b.py": B, "run": script}, {"run": A}]
    )
    replay(tmp_path / "root")
    assert used == [False, True, True, True, False]
