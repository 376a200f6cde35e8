"""ARCHITECTURE.md is true: what it names exists, and its walks follow imports that never point upward."""

from __future__ import annotations

import ast
import configparser
import importlib
import inspect
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "birthmark"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
COMMANDS = ("index", "users")
_STEP = re.compile(r"(?P<indent> *)(?P<module>[\w/]+\.py)\b")


class WalkStep(NamedTuple):
    """A module of a walk, and the one that calls it; the first one has none."""

    module: str
    caller: str | None


def read_walk(command: str) -> list[WalkStep]:
    """The tree below a heading `### \\`birthmark COMMAND\\``; a module is called by the one it is indented under."""
    block = re.search(rf"^### `birthmark {command}`\n.*?```\n(.*?)```", PAGE, re.S | re.M)
    assert block is not None, f"ARCHITECTURE.md draws no walk of {command}"
    callers: dict[int, str] = {}
    steps = []
    for line in block[1].splitlines():
        found = _STEP.match(line)
        assert found is not None, line
        depth = len(found["indent"])
        outer = max((known for known in callers if known < depth), default=None)
        steps.append(WalkStep(found["module"], None if outer is None else callers[outer]))
        callers = {known: module for known, module in callers.items() if known < depth} | {depth: found["module"]}
    return steps


def layers() -> dict[str, int]:
    """The height of each room, from the import contract."""
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter")
    rows = parser["importlinter:contract:rooms"]["layers"].split("\n")
    return {name.strip(): -number for number, row in enumerate(rows) for name in row.split("|")}


def imported_modules(module: str) -> set[str]:
    tree = ast.parse((SOURCE / module).read_text("utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {
        name.removeprefix("birthmark.").replace(".", "/") + ".py" for name in names if name.startswith("birthmark.")
    }


def room_of(module: str) -> str:
    return module.split("/")[0].removesuffix(".py")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_walk_follows_imports_and_never_goes_up(command: str) -> None:
    heights = layers()
    steps = read_walk(command)
    assert [step.module for step in steps if step.caller is None] == [steps[0].module]
    for module, caller in steps[1:]:
        assert caller is not None
        assert module in imported_modules(caller), f"{caller} does not import {module}"
        assert heights[room_of(module)] <= heights[room_of(caller)], f"{module} is above {caller}"


def test_every_module_that_is_named_exists() -> None:
    named = set(re.findall(r"`((?:\w+/)+[\w.]+\.(?:py|sql|md|scm|toml))`", PAGE))
    missing = {name for name in named if not (SOURCE / name).exists() and not (ROOT / name).exists()}
    assert named
    assert missing == set()


INNER_ROOMS = {path.name for path in SOURCE.iterdir() if path.is_dir()} - {
    "api",
    "server",
    "surfaces",
    "questions",
    "documents",
    "app",
    "__pycache__",
}


@pytest.mark.parametrize(
    "module",
    sorted([*(SOURCE / "surfaces").rglob("*.py"), *(SOURCE / "api").rglob("*.py")]),
    ids=lambda path: path.relative_to(SOURCE).as_posix(),
)
def test_surfaces_import_types_only_from_inner_rooms(module: Path) -> None:
    """What is to be done is a use case of `app`; the import contract cannot distinguish a type from a function."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("birthmark."):
            continue
        assert node.module is not None
        if node.module.split(".")[1] in INNER_ROOMS:
            found = [getattr(importlib.import_module(node.module), alias.name) for alias in node.names]
            assert [one for one in found if inspect.isroutine(one) or inspect.ismodule(one)] == []
