"""A REF names what the index may hold: nothing of git, of the index, or that is ignored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from birthmark.app.scans.subscription_repository import StoredSubscription, SubscriptionRepository
from birthmark.app.scans.subscription_states import read_state
from birthmark.app.workspace.repository import open_repository
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import SubscriptionHome
from running import birthmark
from scanning import in_session, scan, subscribe
from worlds import World

LINE = "a = 'hunter2'\n"
FORBIDDEN = [
    ".birthmark/http-token",
    ".git/config",
    ".git/config/",
    ".git//config",
    "./.git/config",
    "a/../.git/config",
    ".GIT/config",
    "a/.Birthmark/http-token",
    ".env",
    ".env/",
    "build/out.txt",
    "nested/.git/config",
    "nested/secret.txt",
    "links/config",
    "link-to-env",
    "link-to-token",
]
ALLOWED = ["README", "Makefile", "new.txt", "a/b.py", "build/kept.txt", "vendored/c.js", "link-to-readme"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Files that may be named, each of the same line, and files that may not."""
    kept = dict.fromkeys(ALLOWED[:-1], LINE)
    rules = {".gitignore": ".env\nbuild/\n.birthmark/\n", ".gitattributes": "vendored/** linguist-vendored\n"}
    world = World(tmp_path / "r", {**kept, **rules}, with_git=True)
    world.git("add", "-f", "build/kept.txt")
    world.commit()
    world.git("rm", "-q", "--cached", "new.txt")
    for path in (".birthmark/http-token", ".GIT/config", "a/.Birthmark/http-token", ".env", "build/out.txt"):
        world.write(path, LINE)
    World(world.root / "nested", {"secret.txt": LINE}, with_git=True)
    (world.root / "links").symlink_to(".git")
    (world.root / "link-to-env").symlink_to(".env")
    (world.root / "link-to-token").symlink_to(".birthmark/http-token")
    (world.root / "link-to-readme").symlink_to("README")
    return world


@pytest.mark.parametrize("path", FORBIDDEN)
def test_what_is_private_or_ignored_cannot_be_named(world: World, path: str) -> None:
    with pytest.raises(BirthmarkError):
        subscribe(world, f"{path}:1")
    with open_repository(world.root) as repository:
        assert repository.worktree().content(path) is None
    assert "hunter2" not in birthmark("show", f"{path}:1", cwd=world.root).stdout


@pytest.mark.parametrize("path", ALLOWED)
def test_what_is_tracked_or_not_ignored_can_be(world: World, path: str) -> None:
    subscription = subscribe(world, f"{path}:1")
    assert in_session(world.root, read_state, subscription.id).accepted_source == LINE.rstrip()


def test_the_error_says_why(world: World) -> None:
    with pytest.raises(BirthmarkError, match=r"^\.env: is ignored, or belongs to git"):
        subscribe(world, ".env:1")


def test_a_file_system_that_ignores_case_does_not_open_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds a file by another name than the one that it lists; no rule ignores that name."""
    world.write(".ENV", LINE)
    assert subscribe(world, ".ENV:1")
    list_folder = os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: [name for name in list_folder(place) if name != ".ENV"])
    with open_repository(world.root) as repository:
        assert repository.worktree().content(".ENV") is None


def test_what_was_accepted_of_it_once_is_not_shown(world: World) -> None:
    """Also if the file itself is gone."""
    subscription = _subscribed_before(world)
    assert in_session(world.root, read_state, subscription.id).accepted_source is None
    report = scan(world)
    assert [problem.path for problem in report.problems] == [subscription.id]
    assert "subscriptions delete" in report.problems[0].problem
    assert report.findings == ()
    world.remove(".env")
    assert in_session(world.root, read_state, subscription.id).accepted_source is None


def _subscribed_before(world: World) -> Subscription:
    """To an ignored file, when it was not ignored yet."""
    world.write(".gitignore", "")
    subscription = subscribe(world, ".env:1")
    world.write(".gitignore", ".env\n")
    return subscription


def test_a_team_file_names_no_more(world: World) -> None:
    wished = _subscribed_before(world)
    repository = SubscriptionRepository(world.workspace)
    accepted = replace(wished.accepted, path=".git/config", files={".git/config": ""})
    team = replace(wished, id="sub-team", accepted=accepted)
    repository.put(
        [StoredSubscription(team, SubscriptionHome.TEAM)], [StoredSubscription(wished, SubscriptionHome.PERSONAL)]
    )
    result = birthmark("scan", "--no-record", cwd=world.root)
    assert "sub-team: .git/config is ignored, or belongs to git or the index" in result.stderr + result.stdout
    assert "[core]" not in result.stdout


@pytest.mark.parametrize("command", ["entities", "nodes", "chunks"])
@pytest.mark.parametrize("path", [".git/config", ".birthmark/http-token", "link-to-token"])
def test_the_command_line_lists_nothing_of_git_or_the_index(world: World, command: str, path: str) -> None:
    result = birthmark(command, path, "--language", "python", cwd=world.root)
    assert result.returncode == 2
    assert "belongs to git or to the index" in result.stderr


@pytest.mark.parametrize("command", ["entities", "nodes", "chunks"])
def test_the_command_line_follows_no_link_out_of_the_repository(world: World, tmp_path: Path, command: str) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("def hunter2(): ...\n")
    (world.root / "link.py").symlink_to(outside)
    (world.root / "folder").symlink_to(tmp_path)
    for path in ("link.py", "folder/outside.py"):
        result = birthmark(command, path, cwd=world.root)
        assert result.returncode == 2
        assert "is a link out of the repository; name its target" in result.stderr
    assert "hunter2" in birthmark(command, str(outside), cwd=world.root).stdout


def test_the_command_line_lists_an_ignored_file_that_its_user_names(world: World) -> None:
    world.write("build/out.py", "def f(): ...\n")
    assert birthmark("entities", "build/out.py", cwd=world.root).returncode == 0
