"""What happened last, by runs and commits."""

from __future__ import annotations

from pathlib import Path

from birthmark.app.answers.overview import read_latest
from birthmark.documents.listings import LatestRunDocument
from running import birthmark
from worlds import World

BEFORE = "def f(x):\n    y = x + 1\n    return y * 2\n\n\ndef g():\n    return 'old'\n"
AFTER = "def renamed(x):\n    y = x + 1\n    return y * 2\n\n\ndef h(z):\n    raise ValueError(z)\n"


def latest(world: World, limit: int = 100) -> list[LatestRunDocument]:
    with world.session() as session:
        return read_latest(session, limit).runs


def names_in(run: LatestRunDocument) -> set[tuple[str, str]]:
    return {
        (one.event.change, place.qualified_name)
        for one in run.events
        if (place := one.event.after or one.event.before) is not None
    }


def test_the_newest_run_comes_first_with_births_too(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": BEFORE})
    world.index()
    world.write("a.py", AFTER)
    world.index()
    second, first = latest(world)
    assert names_in(first) == {("born", "f"), ("born", "g")}
    assert names_in(second) == {("renamed", "renamed"), ("deleted", "g"), ("born", "h")}
    assert [one.subject for one in (first, second)] == [None, None]
    assert second.at > first.at
    before = next(one.event.before for one in second.events if one.event.change == "renamed")
    assert before is not None
    assert before.qualified_name == "f"


def test_commits_are_named_where_history_was_replayed(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": BEFORE}, with_git=True)
    world.commit()
    world.write("a.py", AFTER)
    head = world.commit()
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    newest = latest(world)[0]
    assert newest.by_commit
    assert newest.subject is not None
    assert newest.revision == head


def test_what_is_left_off_is_said(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "".join(f"def f{n}(): pass\n" for n in range(5))})
    world.index()
    (all_,) = latest(world, 5)
    assert (len(all_.events), all_.complete) == (5, True)
    (some,) = latest(world, 4)
    assert (len(some.events), some.complete) == (4, False)


def test_nothing_happened_in_an_empty_repository(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.index()
    assert latest(world) == []
