"""`modules` and `hotspots` as people and programs read them, and the picture of modules."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from running import birthmark, document
from worlds import World

MAIN = """\
from core.model import Model
from core.store import save


def run():
    return save(Model())
"""
MODEL = """\
class Model:
    def check(self):
        from core.sub.rules import rule
        return rule()
"""
STORE = """\
from core.model import Model


def save(model: Model):
    return model.check()
"""
FILES = {
    "app/main.py": MAIN,
    "core/model.py": MODEL,
    "core/store.py": STORE,
    "core/sub/rules.py": "from core.model import Model\n\n\ndef rule():\n    return Model\n",
    "tests/test_app.py": "from app.main import run\n\n\ndef test_run():\n    assert run()\n",
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("structure") / "w", FILES)
    world.index()
    return world


CASES = [
    (
        "folders",
        ["modules"],
        """\
layer  files  definitions   uses  used by  cohesion  module
    1      1            1  1 (4)        0       0 %  app
    0      2            3  1 (2)    2 (6)      60 %  core  cycle 1
    0      1            1  1 (2)    1 (2)       0 %  core/sub  cycle 1

uses, used by: how many other modules, and in brackets how often; cohesion: of the uses in a module, the share that \
stays in it

cycle 1: 2 modules; without what is marked * there would be none
  * 2  core/sub uses core  first core/sub/rules.py:1
    2  core uses core/sub  first core/model.py:3

3 modules in 2 layers, 1 cycle of 2 modules; 3 uses inside of modules, 8 between them
""",
    ),
    (
        "one level",
        ["modules", "--depth", "1", "--all"],
        """\
layer  files  definitions   uses  used by  cohesion  module
    2      1            1  1 (2)        0       0 %  tests
    1      1            1  1 (4)    1 (2)       0 %  app
    0      3            4      0    1 (4)     100 %  core

uses, used by: how many other modules, and in brackets how often; cohesion: of the uses in a module, the share that \
stays in it

3 modules in 3 layers, no cycles; 7 uses inside of modules, 6 between them
""",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_printed(world: World, arguments: list[str], expected: str) -> None:
    assert birthmark(*arguments, cwd=world.root).stdout == expected


def test_the_document_of_modules(world: World) -> None:
    found = document("modules", "--files", cwd=world.root)
    names = [(one["name"], one["layer"], one["cycle"]) for one in found["modules"]]
    assert names[0] == ("app/main.py", 2, None)
    assert set(map(tuple, found["cycles"])) == {("core/model.py", "core/sub/rules.py")}
    (first,) = [one for one in found["uses"] if (one["user"], one["used"]) == ("app/main.py", "core/store.py")]
    assert first["site"] == {"path": "app/main.py", "line": 2}
    assert sum(first["resolutions"].values()) == first["uses"] == 2
    assert found["layers"] == 3
    assert document("modules", "core", cwd=world.root) == document("modules", ".", cwd=world.root / "core")


# The picture


def test_a_picture_has_words_for_those_who_cannot_see_it(world: World, tmp_path: Path) -> None:
    file = tmp_path / "modules.svg"
    assert birthmark("modules", "--svg", str(file), cwd=world.root).returncode == 0
    drawn = ElementTree.parse(file).getroot()  # noqa: S314 -- it was written a line above
    assert drawn.get("role") == "img"
    title, description = drawn.find(f"{SVG}title"), drawn.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert (drawn.get("aria-labelledby"), drawn.get("aria-describedby")) == (title.get("id"), description.get("id"))
    assert title.text == "3 modules in 2 layers"
    assert description.text == (
        "layer 1: app. layer 0: core, core/sub. cycle 1: core, core/sub. app uses core (4). "
        "core uses core/sub (2). core/sub uses core (2)."
    )
    text = file.read_text("utf-8")
    assert "prefers-color-scheme: dark" in text
    assert not {"script", "image", "foreignObject"} & {one.tag.removeprefix(SVG) for one in drawn.iter()}
    assert [one.text for one in drawn.iter(f"{SVG}text") if (one.text or "").startswith("layer")] == [
        "layer 1",
        "layer 0",
    ]
    assert text.count('class="line mark"') == 1
    assert birthmark("modules", "--svg", "-", cwd=world.root).stdout == text


# Hotspots


@pytest.fixture
def changed(tmp_path: Path) -> World:
    world = World(tmp_path / "w", FILES, with_git=True)
    world.commit()
    world.replace("core/store.py", "return model.check()", "return model.check() or None")
    world.commit()
    world.replace("core/store.py", "or None", "or 0")
    world.replace("app/main.py", "save(Model())", "save(Model(), )")
    world.commit()
    return world


def test_commits_are_counted_where_history_was_replayed(changed: World) -> None:
    assert birthmark("index", "--from-history", cwd=changed.root).returncode == 0
    found = document("hotspots", cwd=changed.root)
    assert [(one["entity"]["name"], one["changes"], one["lines"], one["users"]) for one in found["results"]] == [
        ("save", 2, 2, 2),
        ("run", 1, 2, 2),
    ]
    assert found["results"][0]["score"] == 2 * 2 * 3
    assert (found["history_replayed"], found["replayed_commits"], found["runs"], found["total"]) == (True, 3, 0, 2)
    assert all(one["by_commit"] for one in found["results"])
    since = document("hotspots", "--since", "HEAD~1", cwd=changed.root)
    assert [(one["entity"]["name"], one["changes"]) for one in since["results"]] == [("run", 1), ("save", 1)]
    assert document("hotspots", "--since", "2000-01-01", cwd=changed.root)["total"] == 2
    later = document("hotspots", "--since", "2030-01-01", cwd=changed.root)
    assert (later["total"], later["history_replayed"], later["replayed_commits"]) == (0, True, 0)
    assert document("hotspots", "--path", "core", cwd=changed.root)["total"] == 1
    assert document("hotspots", "--limit", "1", cwd=changed.root)["total"] == 2


def test_runs_are_counted_where_it_was_not_and_that_is_said(changed: World) -> None:
    assert birthmark("index", cwd=changed.root).returncode == 0
    result = birthmark("hotspots", cwd=changed.root)
    assert result.stdout == "no change is known of 4 definitions since the index was made\n"
    assert "history was not replayed" in result.stderr
    changed.replace("core/store.py", "or 0", "or 1")
    result = birthmark("hotspots", cwd=changed.root)
    assert result.stdout.endswith("1 of 4 definitions changed in 1 run of the index\n")
    assert "history was not replayed" in result.stderr
    (found,) = document("hotspots", cwd=changed.root)["results"]
    assert (found["changes"], found["by_commit"]) == (1, False)


def test_without_git_there_is_no_since(world: World) -> None:
    result = birthmark("hotspots", "--since", "yesterday", cwd=world.root)
    assert result.returncode == 2
    assert result.stderr == "birthmark: since: dates and revisions are read by git, and this is no git repository\n"
