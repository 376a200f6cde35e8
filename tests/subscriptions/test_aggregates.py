"""Crowds: all that a pattern matches, and all who use an entity."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from birthmark.app.scans.subscriptions import SubscriptionRequest
from birthmark.app.scans.subscriptions import subscribe as wish
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.patterns import read_pattern
from scanning import accept, assert_settles, details, in_session, make, scan, subscribe, told
from worlds import World

USERS_API = """\
class UserController:
    def list(self):
        return users.all()

    def show(self, key):
        return users.get(key)
"""
FILES = {
    "api/users.py": USERS_API,
    "api/v2/items.py": (
        "class ItemController:\n    def list(self):\n        return items.all()\n\n\ndef helper(x):\n    return x\n"
    ),
    "core/users.py": USERS_API,
}
PATTERN = "api/**::*Controller.*"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, FILES)


# Patterns


@pytest.mark.parametrize(
    ("ref", "path", "name", "expected"),
    [
        (PATTERN, "api/users.py", "UserController.list", True),
        (PATTERN, "api/v2/items.py", "ItemController.list", True),
        (PATTERN, "api/users.py", "UserController", False),
        (PATTERN, "core/users.py", "UserController.list", False),
        ("*.py::load", "deep/down/a.py", "load", True),
        ("*.py::load", "deep/down/a.ts", "load", False),
        ("src/*.py::*", "src/a.py", "A.b.c", True),
        ("src/*.py::*", "src/deep/a.py", "A", False),
        ("**::test_?", "a.py", "test_1", True),
        ("**::test_[ab]", "a.py", "test_c", False),
        ("::get_*", "any/where.py", "get_it", True),
        ("src/**::", "src/a.py", "whatever", True),
        ("src/**::A.b", "src/a.py", "AXb", False),
    ],
)
def test_what_a_pattern_matches(ref: str, path: str, name: str, expected: bool) -> None:
    pattern = read_pattern(ref)
    assert (pattern.has_path(path) and pattern.has_name(name)) is expected


def test_a_pattern_that_is_none(world: World) -> None:
    with pytest.raises(BirthmarkError, match="is a pattern; it has neither users nor members"):
        in_session(world.root, wish, SubscriptionRequest(PATTERN, users=True))


def edit_one(world: World) -> None:
    world.replace("api/users.py", "users.get(key)", "users[key]")


def edit_head(world: World) -> None:
    world.replace("api/users.py", "show(self, key)", "show(self, key, /)")


def add_one(world: World) -> None:
    world.write("api/users.py", world.read("api/users.py") + "\n    def drop(self, key):\n        del users[key]\n")


def add_file(world: World) -> None:
    world.write("api/new.py", "class NewController:\n    def go(self):\n        return 1\n")


def remove_one(world: World) -> None:
    world.write("api/users.py", USERS_API.partition("\n    def show")[0])


def remove_file(world: World) -> None:
    world.remove("api/v2/items.py")


def rename_one(world: World) -> None:
    world.replace("api/users.py", "def show(", "def detail(")


def move_file(world: World) -> None:
    world.move("api/v2/items.py", "api/v3/items.py")


def move_out(world: World) -> None:
    world.move("api/v2/items.py", "core/items.py")


def move_in(world: World) -> None:
    world.move("core/users.py", "api/core_users.py")


def edit_others(world: World) -> None:
    world.replace("core/users.py", "users.get(key)", "users[key]")
    world.replace("api/v2/items.py", "return x", "return -x")


def edit_comment(world: World) -> None:
    world.replace("api/users.py", "        return users.get", "        # Why.\n        return users.get")


def shift(world: World) -> None:
    world.write("api/users.py", "import users\n\n\n" + USERS_API)


MATCHES: list[tuple[Callable[[World], None], tuple[str, ...], dict[str, Any]]] = [
    (
        edit_one,
        ("matches_changed",),
        {"changed": [{"name": "api/users.py::UserController.show", "aspects": ["body"]}]},
    ),
    (
        edit_head,
        ("matches_changed",),
        {"changed": [{"name": "api/users.py::UserController.show", "aspects": ["interface"]}]},
    ),
    (add_one, ("matches_added",), {"added": ["api/users.py::UserController.drop"]}),
    (add_file, ("matches_added",), {"added": ["api/new.py::NewController.go"]}),
    (remove_one, ("matches_removed",), {"removed": ["api/users.py::UserController.show"]}),
    (remove_file, ("matches_removed",), {"removed": ["api/v2/items.py::ItemController.list"]}),
    (
        rename_one,
        ("matches_renamed",),
        {"renamed": [{"from": "api/users.py::UserController.show", "to": "api/users.py::UserController.detail"}]},
    ),
    (
        move_file,
        ("matches_renamed",),
        {"renamed": [{"from": "api/v2/items.py::ItemController.list", "to": "api/v3/items.py::ItemController.list"}]},
    ),
    (
        move_out,
        ("matches_renamed",),
        {"renamed": [{"from": "api/v2/items.py::ItemController.list", "to": "core/items.py::ItemController.list"}]},
    ),
    (
        move_in,
        ("matches_renamed",),
        {
            "renamed": [
                {"from": "core/users.py::UserController.list", "to": "api/core_users.py::UserController.list"},
                {"from": "core/users.py::UserController.show", "to": "api/core_users.py::UserController.show"},
            ]
        },
    ),
]


@pytest.mark.parametrize("is_committed", [False, True], ids=["worktree", "commit"])
@pytest.mark.parametrize(("edit", "reasons", "expected"), MATCHES, ids=[edit.__name__ for edit, _, _ in MATCHES])
def test_matches(
    world: World, edit: Callable[[World], None], reasons: tuple[str, ...], expected: dict[str, Any], is_committed: bool
) -> None:
    subscribe(world, PATTERN)
    edit(world)
    if is_committed:
        world.commit()
    report = scan(world)
    assert told(report)[:2] == ("AGGREGATE", reasons)
    assert details(report) == expected
    assert_settles(world)


@pytest.mark.parametrize("edit", [edit_others, edit_comment, shift])
def test_what_matches_nothing_or_changes_nothing(world: World, edit: Callable[[World], None]) -> None:
    subscribe(world, PATTERN)
    edit(world)
    assert scan(world).findings == ()


def test_a_container_is_not_told_for_its_member(world: World) -> None:
    subscribe(world, "api/**::*")
    edit_one(world)
    assert details(scan(world)) == {"changed": [{"name": "api/users.py::UserController.show", "aspects": ["body"]}]}


def test_decorators_of_matches(world: World) -> None:
    loud, quiet = subscribe(world, PATTERN), subscribe(world, PATTERN, track_decorators=False)
    world.replace("api/users.py", "    def show", "    @cached\n    def show")
    assert [trigger.subscription_id for trigger in scan(world).triggers] == [loud.id]
    assert quiet.id != loud.id


def test_step_by_step(world: World) -> None:
    """Accepted in a dirty worktree, committed, and changed again: each change is told once."""
    subscribe(world, PATTERN)
    edit_one(world)
    assert_settles(world)
    add_file(world)
    assert details(scan(world)) == {"added": ["api/new.py::NewController.go"]}
    assert_settles(world)
    world.commit()
    assert scan(world).findings == ()
    add_one(world)
    assert details(scan(world)) == {"added": ["api/users.py::UserController.drop"]}
    world.commit()
    assert details(scan(world)) == {"added": ["api/users.py::UserController.drop"]}
    assert_settles(world)
    remove_file(world)
    assert details(scan(world)) == {"removed": ["api/v2/items.py::ItemController.list"]}
    assert_settles(world)
    world.commit()
    assert scan(world).findings == ()


def test_accepted_in_a_dirty_worktree(world: World) -> None:
    edit_one(world)
    add_file(world)
    remove_file(world)
    subscribe(world, PATTERN)
    assert scan(world).findings == ()
    world.replace("api/new.py", "return 1", "return 2")
    assert details(scan(world)) == {"changed": [{"name": "api/new.py::NewController.go", "aspects": ["body"]}]}


def test_what_is_undone_was_nothing(world: World) -> None:
    subscribe(world, PATTERN)
    edit_one(world)
    scan(world)
    world.write("api/users.py", USERS_API)
    assert scan(world).findings == ()


def test_what_was_accepted_and_is_undone_is_told(world: World) -> None:
    subscribe(world, PATTERN)
    edit_one(world)
    assert_settles(world)
    world.write("api/users.py", USERS_API)
    assert details(scan(world)) == {"changed": [{"name": "api/users.py::UserController.show", "aspects": ["body"]}]}
    assert_settles(world)


@pytest.mark.parametrize("with_index", [False, True])
def test_without_git(tmp_path: Path, with_index: bool) -> None:
    world = make(tmp_path, FILES, with_git=False)
    if with_index:
        world.index()
    subscribe(world, PATTERN)
    assert scan(world).findings == ()
    add_file(world)
    edit_one(world)
    if with_index:
        world.index()
    assert details(scan(world)) == {
        "added": ["api/new.py::NewController.go"],
        "changed": [{"name": "api/users.py::UserController.show", "aspects": ["body"]}],
    }
    assert_settles(world)
    remove_file(world)
    if with_index:
        world.index()
    assert details(scan(world)) == {"removed": ["api/v2/items.py::ItemController.list"]}
    assert_settles(world)


def test_before_the_first_commit(tmp_path: Path) -> None:
    world = World(tmp_path, FILES, with_git=True)
    subscribe(world, PATTERN)
    add_file(world)
    world.commit()
    assert details(scan(world)) == {"added": ["api/new.py::NewController.go"]}
    assert_settles(world)


def test_between_two_revisions(world: World) -> None:
    base = world.git("rev-parse", "HEAD")
    subscribe(world, PATTERN)
    edit_one(world)
    target = world.commit()
    add_file(world)
    world.commit()
    found = scan(world, base, target)
    assert details(found) == {"changed": [{"name": "api/users.py::UserController.show", "aspects": ["body"]}]}
    accept(world)
    assert scan(world, base, target).findings == ()
    assert details(scan(world)) == {"added": ["api/new.py::NewController.go"]}


def test_an_unrelated_change_after_a_commit(world: World) -> None:
    subscribe(world, PATTERN)
    edit_others(world)
    world.commit()
    assert scan(world).findings == ()


# Users

CORE = "def load(path):\n    return open(path).read()\n\n\ndef other(path):\n    return path\n"
USER = "from core import load\n\n\ndef start(args):\n    return load(args.path)\n\n\ndef stop(args):\n    return None\n"
ALIAS = "import core as c\n\n\ndef again(args):\n    return c.load(args.path)\n"


@pytest.fixture
def used(tmp_path: Path) -> World:
    return make(
        tmp_path, {"core.py": CORE, "app.py": USER, "alias.py": ALIAS, "none.py": "def far(x):\n    return x\n"}
    )


def check_users(world: World, *reasons: str, **expected: Any) -> None:
    report = scan(world)
    assert told(report)[:2] == ("AGGREGATE", reasons)
    assert details(report) == expected
    assert_settles(world)


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_user_changes(used: World, is_committed: bool) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("app.py", "load(args.path)", "load(args.path).strip()")
    if is_committed:
        used.commit()
    check_users(used, "users_changed", changed=[{"name": "app.py::start", "aspects": ["body"]}])


def test_a_user_by_another_name_changes(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("alias.py", "args.path)", "args.path).strip()")
    check_users(used, "users_changed", changed=[{"name": "alias.py::again", "aspects": ["body"]}])


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_user_appears(used: World, is_committed: bool) -> None:
    subscribe(used, "core.py::load", users=True)
    used.write("none.py", "from core import load\n\n\ndef far(x):\n    return load(x)\n")
    used.write("new.py", "import core\n\n\ndef near(x):\n    return core.load(x)\n")
    if is_committed:
        used.commit()
    check_users(used, "users_added", added=["new.py::near", "none.py", "none.py::far"])


def test_a_user_in_the_same_file_appears(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("core.py", "return path\n", "return load(path)\n")
    check_users(used, "users_added", added=["core.py::other"])


def test_a_user_goes(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("alias.py", "c.load(args.path)", "None")
    check_users(used, "users_removed", removed=["alias.py::again"])


def test_a_file_with_users_goes(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.remove("alias.py")
    check_users(used, "users_removed", removed=["alias.py::again"])


def test_a_caller_that_is_renamed_is_still_one(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("app.py", "def start(", "def begin(")
    assert scan(used).triggers == []


def test_others_change(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("app.py", "return None", "return 1")
    used.replace("none.py", "return x", "return -x")
    used.replace("core.py", "return path", "return -path")
    assert scan(used).triggers == []


def test_the_used_one_itself_changes(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("core.py", "open(path)", "open(path, 'rb')")
    assert scan(used).triggers == []


def test_the_used_one_moves(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.move("core.py", "base.py")
    used.replace("app.py", "from core", "from base")
    used.replace("alias.py", "import core", "import base")
    report = scan(used)
    assert report.triggers == []
    assert told(report)[2:4] == (("rename",), "base.py:1-2")
    accept(used)
    assert scan(used).findings == ()
    used.replace("app.py", "load(args.path)", "load(args.path).strip()")
    check_users(used, "users_changed", changed=[{"name": "app.py::start", "aspects": ["body"]}])


def test_the_used_one_is_gone(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.write("core.py", CORE.partition("\n\n\n")[2])
    assert told(scan(used))[:2] == ("MISSING", ("semantic_target_missing",))


def test_an_heir_is_a_user(tmp_path: Path) -> None:
    world = make(tmp_path, {"base.py": "class Base:\n    def f(self):\n        return 1\n"})
    subscribe(world, "base.py::Base", users=True)
    world.write("heir.py", "from base import Base\n\n\nclass Heir(Base):\n    pass\n")
    check_users(world, "users_added", added=["heir.py", "heir.py::Heir"])


def test_users_step_by_step(used: World) -> None:
    subscribe(used, "core.py::load", users=True)
    used.replace("app.py", "load(args.path)", "load(args.path).strip()")
    assert_settles(used)
    used.commit()
    assert scan(used).findings == ()
    used.replace("none.py", "return x", "return -x")
    used.commit()
    assert scan(used).findings == ()
    used.replace("app.py", ".strip()", ".rstrip()")
    used.commit()
    check_users(used, "users_changed", changed=[{"name": "app.py::start", "aspects": ["body"]}])
    used.replace("app.py", ".rstrip()", ".lstrip()")
    check_users(used, "users_changed", changed=[{"name": "app.py::start", "aspects": ["body"]}])


def test_users_between_two_revisions(used: World) -> None:
    base = used.git("rev-parse", "HEAD")
    subscribe(used, "core.py::load", users=True)
    used.replace("app.py", "load(args.path)", "load(args.path).strip()")
    target = used.commit()
    assert details(scan(used, base, target)) == {"changed": [{"name": "app.py::start", "aspects": ["body"]}]}
    accept(used)
    assert scan(used, base, target).findings == ()
    assert scan(used).findings == ()


def test_users_where_the_base_is_older_than_what_was_accepted(used: World) -> None:
    """The used one stands elsewhere in the base; its users there are still its users."""
    base = used.git("rev-parse", "HEAD")
    used.write("core.py", "def first(x):\n    return [x]\n\n\n" + CORE)
    used.commit()
    subscribe(used, "core.py::load", users=True)
    used.replace("none.py", "return x", "return -x")
    used.replace("app.py", "load(args.path)", "load(args.path).strip()")
    target = used.commit()
    assert details(scan(used, base, target)) == {"changed": [{"name": "app.py::start", "aspects": ["body"]}]}


@pytest.mark.parametrize("with_index", [False, True])
def test_users_without_git(tmp_path: Path, with_index: bool) -> None:
    world = make(tmp_path, {"core.py": CORE, "app.py": USER}, with_git=False)
    if with_index:
        world.index()
    subscribe(world, "core.py::load", users=True)
    world.write("new.py", "import core\n\n\ndef near(x):\n    return core.load(x)\n")
    if with_index:
        world.index()
    check_users(world, "users_added", added=["new.py::near"])
    world.replace("app.py", "load(args.path)", "load(args.path).strip()")
    check_users(world, "users_changed", changed=[{"name": "app.py::start", "aspects": ["body"]}])


@pytest.mark.parametrize(
    ("path", "text", "user", "new", "name"),
    [
        (
            "core.ts",
            "export function load(path: string) {\n  return path;\n}\n",
            "app.ts",
            "import { load as l } from './core';\nexport function go(a: string) {\n  return l(a);\n}\n",
            "go",
        ),
        (
            "core.go",
            "package core\n\nfunc Load(path string) string {\n\treturn path\n}\n",
            "app.go",
            "package core\n\nfunc Go(a string) string {\n\treturn Load(a)\n}\n",
            "Go",
        ),
        (
            "Core.java",
            "class Core {\n  static int load(int a) { return a; }\n}\n",
            "App.java",
            "class App {\n  int go(int a) { return Core.load(a); }\n}\n",
            "App.go",
        ),
    ],
)
def test_users_in_other_languages(tmp_path: Path, path: str, text: str, user: str, new: str, name: str) -> None:
    world = make(tmp_path, {path: text})
    used = {"core.ts": "load", "core.go": "Load", "Core.java": "Core.load"}[path]
    subscribe(world, f"{path}::{used}", users=True)
    world.write(user, new)
    assert f"{user}::{name}" in details(scan(world))["added"]
    assert_settles(world)
