"""Code of others is in no index and no answer, unless it is asked for; a changed setting makes the index stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark
from small_repositories import replay
from worlds import World, write_settings

OURS = "export function ours(x) {\n  return x + 1;\n}\n"
THEIRS = OURS.replace("ours", "theirs")
BUNDLE = "".join(f"function f{number}(a){{return a+{number}}};" for number in range(400)) + "\n"
FILES = {"src/ours.js": OURS, "node_modules/left/theirs.js": THEIRS, "src/lib.min.js": THEIRS, "src/bundle.js": BUNDLE}
LEFT_OUT = "1 third-party folder, 2 minified files"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, FILES, with_git=True)
    world.commit()
    return world


def ask(world: World, *arguments: str) -> str:
    done = birthmark(*arguments, cwd=world.root)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def is_valid(world: World) -> bool:
    return ask(world, "validate", "--against-rebuild") == "valid\n"


def test_code_of_others_is_left_out_and_counted(world: World) -> None:
    assert f"left out: {LEFT_OUT};" in ask(world, "index")
    assert LEFT_OUT in " ".join(ask(world, "status").split())
    assert ask(world, "entities", "--all").count("\n") < 5
    assert birthmark("resolve", "theirs", cwd=world.root).returncode == 2
    world.write("node_modules/left/theirs.js", THEIRS.replace("1", "2"))
    world.write("src/bundle.js", BUNDLE.replace("1", "2"))
    assert "no entity differs" in ask(world, "diff", "HEAD")
    assert is_valid(world)


@pytest.mark.parametrize("is_setting", [True, False])
def test_code_of_others_is_indexed_on_request(world: World, *, is_setting: bool) -> None:
    ask(world, "index")
    if is_setting:
        write_settings(world.root, ["[index]\nthird_party = true"])
        assert "made with other settings" in " ".join(ask(world, "status").split())
        assert "theirs" in ask(world, "resolve", "node_modules/left/theirs.js::theirs")
    else:
        ask(world, "index", "--third-party")
    assert "403 entities" in ask(world, "status")
    assert is_valid(world)
    (world.root / "birthmark.toml").unlink(missing_ok=True)
    assert LEFT_OUT in " ".join(ask(world, "index", "--no-third-party").split())
    assert "1 entity" in ask(world, "status")
    assert is_valid(world)


def test_a_file_that_becomes_minified_leaves_the_index(world: World) -> None:
    ask(world, "index")
    world.write("src/ours.js", BUNDLE)
    ask(world, "index")
    assert is_valid(world)
    world.write(".birthmarkignore", "!/src/ours.js\n")
    assert "400 entities" in ask(world, "index")
    assert is_valid(world)
    world.write(".gitattributes", "src/bundle.js -linguist-generated\n")
    assert "800 entities" in ask(world, "index")
    assert is_valid(world)


def test_a_replay_leaves_out_code_of_others(world: World) -> None:
    replay(world.root)
    assert "1 ever issued" in ask(world, "status", "--verbose")
    assert is_valid(world)


@pytest.mark.parametrize("setting", ["[chunks]\nlongest = 20", "[limits]\nmax_bytes = 5000"])
def test_a_changed_setting_makes_the_index_stale_at_once(world: World, setting: str) -> None:
    ask(world, "index")
    n_chunks = ask(world, "chunks").count("\n")
    write_settings(world.root, [setting])
    assert birthmark("status", "--exit-code", cwd=world.root).returncode == 1
    assert "made with other settings" in ask(world, "status")
    assert (ask(world, "chunks").count("\n") > n_chunks) == ("longest" in setting)
    assert birthmark("status", "--exit-code", cwd=world.root).returncode == 0
    assert is_valid(world)
