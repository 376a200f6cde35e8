"""`fleet scan`: the subscriptions of all repositories, at the commits of their mirrors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from postgres_server import fresh_database

from fleets import Fleet
from receivers import Receiver, receiving
from running import birthmark

BEFORE, AFTER = {"a.py": "def f(x):\n    return x\n"}, "def f(x):\n    return x + 1\n"


@pytest.fixture
def fleet(tmp_path: Path) -> Fleet:
    """`a` has a subscription and changed since; `b` has none."""
    fleet = Fleet(tmp_path, fresh_database())
    world, other = fleet.make("a", [BEFORE]), fleet.make("b", [BEFORE])
    assert fleet.run("add", str(world.root), str(other.root)).returncode == 0
    fleet.refresh()
    made = birthmark("--store", fleet.url, "subscribe", "a.py::f", cwd=world.root)
    assert made.returncode == 0, made.stderr
    world.write("a.py", AFTER)
    world.git("commit", "-qam", "Add one")
    fleet.refresh()
    return fleet


def test_subscriptions_of_clones_are_scanned_in_mirrors(fleet: Fleet) -> None:
    done = fleet.run("scan", "--mirrors", str(fleet.mirrors), "--json", "--exit-code")
    assert done.returncode == 1, done.stderr
    (found,) = json.loads(done.stdout)
    (trigger,) = found["report"]["triggers"]
    assert (found["repository"], trigger["path"], trigger["summary"].partition(" by ")[0]) == (
        "host/team/a",
        "a.py",
        f"{trigger['subject']}: body changed",
    )
    assert [commit["subject"] for commit in trigger["commits"]] == ["Add one"]
    printed = fleet.run("scan", "--mirrors", str(fleet.mirrors))
    assert "# host/team/a" in printed.stdout
    assert "1 repository with subscriptions, 1 triggered" in printed.stderr


def test_a_repository_without_subscriptions_or_mirror_is_named_if_it_is_asked_for(fleet: Fleet, tmp_path: Path) -> None:
    done = fleet.run("scan", "host/team/b", "--mirrors", str(fleet.mirrors))
    assert (done.returncode, "there are no subscriptions in it" in done.stderr) == (0, True)
    done = fleet.run("scan", "--mirrors", str(tmp_path / "none"))
    assert "is not on this machine yet" in done.stderr
    assert fleet.run("scan", "host/team/c", "--mirrors", str(fleet.mirrors)).returncode == 2


def test_reports_are_sent_where_the_settings_beside_the_mirrors_say(fleet: Fleet, trusted: None) -> None:
    with receiving() as receiver:
        check_sending(fleet, receiver)


def check_sending(fleet: Fleet, receiver: Receiver) -> None:
    settings = f'[webhooks.team]\nurl = "{receiver.url}"\nformat = "slack"\nallow_private = true\n'
    (fleet.mirrors / "birthmark.toml").write_text(settings)
    done = fleet.run("scan", "--mirrors", str(fleet.mirrors), "--notify", "team")
    assert done.returncode == 0, done.stderr
    assert len(receiver.requests) == 1
