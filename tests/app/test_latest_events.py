"""What happened last, by runs and commits."""

from __future__ import annotations

from pathlib import Path

from birthmark.app.answers.overview import RunEvents, read_latest
from running import birthmark
from worlds import World

BEFORE = "def f(x):\n    y = x + 1\n    return y * 2\n\n\ndef g():\n    return 'old'\n"
AFTER = "def renamed(x):\n    y = x + 1\n    return y * 2\n\n\ndef h(z):\n    raise ValueError(z)\n"


def latest(world: World, limit: int = 100) -> list[RunEvents]:
    with world.session() as session:
        return read_latest(session, limit)


def names_in(run: RunEvents) -> set[tuple[str, str]]:
    return {(event.event.change, event.event.qualified_name) for _, event in run.events}


def test_the_newest_run_comes_first_with_births_too(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": BEFORE})
    world.index()
    world.write("a.py", AFTER)
    world.index()
    second, first = latest(world)
    assert names_in(first) == {("born", "f"), ("born", "g")}
    assert names_in(second) == {("renamed", "renamed"), ("deleted", "g"), ("born", "h")}
    assert [one.commit for one in (first, second)] == [None, None]
    assert second.run.at > first.run.at
    before = next(event.before for _, event in second.events if event.event.change == "renamed")
    assert before is not None
    assert before.qualified_name == "f"


def test_commits_are_named_where_history_was_replayed(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": BEFORE}, with_git=True)
    world.commit()
    world.write("a.py", AFTER)
    head = world.commit()
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    newest = latest(world)[0]
    assert newest.is_replayed
    assert newest.commit is not None
    assert (newest.commit.id, newest.run.revision) == (head, head)


def test_what_is_left_off_is_said(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "".join(f"def f{n}(): pass\n" for n in range(5))})
    world.index()
    (all_,) = latest(world, 5)
    assert (len(all_.events), all_.is_whole) == (5, True)
    (some,) = latest(world, 4)
    assert (len(some.events), some.is_whole) == (4, False)


def test_nothing_happened_in_an_empty_repository(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.index()
    assert latest(world) == []
