"""What tools print names the definition at that place: in the worktree, or in the commit of a permalink."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

PYTHON = """class Cart:
    def total(self):
        return sum(self.prices) * 2

    def test_sum(self):
        return 3
"""
JAVA = "package org.shop;\n\nclass Cart {\n  int total() {\n    return 1;\n  }\n}\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    files = {"src/shop/cart.py": PYTHON, "java/org/shop/Cart.java": JAVA, "java/org/other/Cart.java": JAVA}
    world = World(tmp_path_factory.mktemp("w") / "r", files, with_git=True)
    world.commit()
    world.git("branch", "fix/it")
    world.git("tag", "first")
    world.write("src/shop/cart.py", "import os\n\n\n" + PYTHON.replace("total", "whole"))
    world.commit()
    world.index()
    return world


def named(world: World, ref: str) -> str:
    for before, after in (("{root}", str(world.root)), ("{first}", world.git("rev-parse", "first").strip())):
        ref = ref.replace(before, after)
    resolved = document("resolve", ref, cwd=world.root)["entity"]
    history = document("history", ref, cwd=world.root)["entity"]
    assert history["qualified_name"] == resolved["qualified_name"]
    return f"{resolved['path']}::{resolved['qualified_name']}"


@pytest.mark.parametrize(
    "ref",
    [
        "src/shop/cart.py:6:9",
        "src/shop/cart.py#L6",
        "src/shop/cart.py#L5-L6",
        "{root}/src/shop/cart.py:6",
        "{root}/src/shop/cart.py::Cart.whole",
        "file://{root}/src/shop/cart.py#L6",
        ":src/shop/cart.py:6",
        ":src/shop/cart.py::Cart.whole",
        'File "/usr/lib/site-packages/shop/cart.py", line 6, in whole',
        "at Cart.whole (src/shop/cart.py:6:4)",
        "at src/shop/cart.py:6:4",
        "src/shop/cart.py:6 +0x1d",
        "src/shop/cart.py::Cart::whole",
        "src/shop/cart.py::Cart::whole[1-2]",
        "src/shop/cart.py::Cart#whole()",
        "shop.cart.Cart.whole",
        "https://host/o/r/blob/{first}/src/shop/cart.py#L2-L3",
        "https://host/o/r/blob/fix/it/src/shop/cart.py#L2-L3",
        "https://host/g/o/r/-/blob/{first}/src/shop/cart.py#L3",
        "https://host/o/r/src/{first}/src/shop/cart.py#lines-3",
    ],
)
def test_a_place_is_found(world: World, ref: str) -> None:
    assert named(world, ref) == "src/shop/cart.py::Cart.whole"


@pytest.mark.parametrize(
    ("ref", "stored"),
    [
        ("src/shop/cart.py::Cart::test_sum[1-2]", "src/shop/cart.py::Cart::test_sum[1-2]"),
        ("src/shop/cart.py:6:9", "src/shop/cart.py:6"),
        ("src/shop/cart.py::Cart.[tw]*", "src/shop/cart.py::Cart.[tw]*"),
    ],
)
def test_a_place_can_be_subscribed_to(world: World, ref: str, stored: str) -> None:
    subscribed = document("subscribe", ref, cwd=world.root)
    assert subscribed["ref"] == stored
    is_pattern = "*" in ref
    assert (subscribed["target"] == "pattern") == is_pattern


def test_a_package_tells_files_of_a_name_apart(world: World) -> None:
    assert named(world, "at org.shop.Cart.total(Cart.java:5)") == "java/org/shop/Cart.java::Cart.total"
    result = birthmark("resolve", "at Cart.total(Cart.java:5)", cwd=world.root)
    assert result.returncode == 2
    assert "2 files end so; name one" in result.stderr
    assert "java/org/shop/Cart.java:5" in result.stderr


def test_a_permalink_needs_no_index(tmp_path: Path, world: World) -> None:
    world.git("clone", "-q", str(world.root), str(tmp_path / "c"))
    link = f"https://host/o/r/blob/{world.git('rev-parse', 'first').strip()}/src/shop/cart.py#L3"
    assert document("history", link, cwd=tmp_path / "c")["entity"]["qualified_name"] == "Cart.whole"


def test_git_never_fetches_for_a_permalink(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transport that is asked for leaves a trace."""
    trace = tmp_path / "trace"
    helper = tmp_path / "git-remote-trace"
    helper.write_text(f"#!/bin/sh\ntouch '{trace}'\n")
    helper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    world.git("config", "remote.origin.url", "trace::host")
    world.git("config", "remote.origin.promisor", "true")
    result = birthmark("resolve", f"https://host/o/r/blob/{'a' * 40}/a.py#L3", cwd=world.root)
    assert (result.returncode, trace.exists()) == (2, False)
    assert "fetch it" in result.stderr


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("/etc/passwd:1", "absolute path outside the repository"),
        ("file:///etc/passwd#L1", "absolute path outside the repository"),
        ('File "/etc/passwd", line 1', "absolute path outside the repository"),
        ("../x.py:1:1", "outside the repository"),
        ("src/shop/cart.py:999:1", "there is no line 999"),
        ("src/shop/nope.py:3:1", "src/shop/nope.py: is not in"),
        ("https://host/o/r/blob/first/src/shop/nope.py#L3", "src/shop/nope.py: is not in"),
        ("https://host/o/r/blob/first/src/shop/cart.py", "is a file"),
        ("https://host/o/r/blob/nope/a.py#L1", "unknown revision 'nope'"),
        ("https://host/o/r", "paste a permalink"),
        ("{root}/src/shop/cart.py", "is a file"),
        ("{root}/.git/config:1", ".git/config: is not in"),
        ("file://{root}/.git/config#L1", ".git/config: is not in"),
    ],
)
@pytest.mark.parametrize("command", ["resolve", "show", "history", "subscribe"])
def test_a_wrong_place_gets_one_line(world: World, command: str, ref: str, message: str) -> None:
    result = birthmark(command, ref.replace("{root}", str(world.root)), cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr or command == "subscribe"
    assert len(result.stderr.splitlines()) == 1
