"""The page of what changes often."""

from __future__ import annotations

from pathlib import Path

from web_pages import links_in, shown, site_of, text_of

from running import birthmark
from worlds import World


def make_world(root: Path) -> World:
    """`f` changes in two commits, `<g>` is an ordinary name beside it."""
    world = World(root, {"shop/a.py": "def f(x):\n    return x\n", "b.py": "def g(x):\n    return x\n"}, with_git=True)
    world.commit()
    for value in (1, 2):
        world.write("shop/a.py", f"def f(x):\n    return x + {value}\n")
        world.commit()
    return world


def test_changes_are_those_of_replayed_commits(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    html = shown(site_of(world.root).get("/hotspots"))
    text = text_of(html)
    assert "f shop/a.py:1-2 2 2 0 4 2024-01-01" in text
    assert "b.py" not in text
    assert "3 replayed commits" in text
    assert f"/entity/{world.mark('shop/a.py::f')}" in links_in(html)


def test_they_are_filtered_by_path_and_time(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    assert birthmark("index", "--from-history", cwd=tmp_path).returncode == 0
    browser = site_of(world.root)
    assert "f shop/a.py:1-2 1 2 0 2" in text_of(shown(browser.get("/hotspots", since="HEAD~1")))
    assert "None of 1 definition changed" in text_of(shown(browser.get("/hotspots", path="b.py")))
    assert "no such" in text_of(shown(browser.get("/hotspots", wrong="1"), 400))
    assert shown(browser.get("/hotspots", path="nowhere"), 404)


def test_without_a_replay_runs_are_counted(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.index()
    world.replace("b.py", "return x", "return x * 3")
    world.index()
    text = text_of(shown(site_of(world.root).get("/hotspots")))
    assert "The history was not replayed" in text
    assert "g b.py:1-2 1 2 0 2" in text


def test_pages_follow_one_another(tmp_path: Path) -> None:
    source = "".join(f"def f{n}():\n    return {{}} + {n}\n" for n in range(60))
    world = World(tmp_path, {"a.py": source.format(*[1] * 60)})
    world.index()
    world.write("a.py", source.format(*[2] * 60))
    world.index()
    browser = site_of(world.root)
    assert "/hotspots?offset=50" in links_in(shown(browser.get("/hotspots")))
    last = shown(browser.get("/hotspots", offset=50))
    assert last.count("<tr>") == 11
    few = shown(browser.get("/hotspots", limit=10))
    assert "All 60 hotspots" in text_of(few)


def test_an_empty_repository_has_none(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.index()
    assert "No definition is here" in text_of(shown(site_of(world.root).get("/hotspots")))
