"""Subscriptions to what is in another repository of a database, on a real server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest
from company import MONEY, ROUND_UP, SHOP, ask
from postgres_server import fresh_database
from web_pages import HOST, SECRETS, shown, text_of

from asgi import Client
from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_workspace
from birthmark.server.commands.token_commands import add_token
from birthmark.server.fleet.catalog import mirror_of
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.web.site import make_site
from running import Result
from small_repositories import make_repository
from worlds import World, run_git

MOVED = {
    **MONEY,
    "src/money/rounding.py": "",
    "src/money/numbers.py": ROUND_UP.replace("whole + 1", "whole + 3"),
    "src/money/__init__.py": "from .numbers import round_up\nfrom .account import Account\n",
}

CALLING = """from money.rounding import round_up


class Account:
    def close(self):
        return round_up(1, 2)
"""


class Pair:
    """`shop` subscribes to what `money` has."""

    def __init__(self, folder: Path, mirrors: Path) -> None:
        self.url = fresh_database()
        self.money = make_repository(folder / "money", [MONEY])
        self.shop = make_repository(folder / "shop", [SHOP])
        self.mirrors = mirrors
        self.index_money()
        self.ask("index")

    def ask(self, *arguments: str, code: int = 0) -> Result:
        done = ask(self.url, "shop", *arguments, cwd=self.shop.root)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def read(self, *arguments: str) -> Any:
        return json.loads(self.ask(*arguments, "--json").stdout)

    def index_money(self) -> None:
        done = ask(self.url, "money", "index", cwd=self.money.root)
        assert done.returncode == 0, done.stderr

    def change_money(self, files: dict[str, str]) -> None:
        for path in ("src/money/rounding.py", "src/money/account.py"):
            (self.money.root / path).unlink(missing_ok=True)
        for path, text in files.items():
            (self.money.root / path).write_text(text)
        self.money.git("add", "-A")
        self.money.git("commit", "-qm", "Round up further")
        self.index_money()


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Pair(tmp_path, tmp_path / "cache/birthmark/mirrors")


def test_a_change_in_another_repository_is_reported_and_accepted(pair: Pair) -> None:
    made = pair.read("subscribe", "money//src/money/rounding.py::round_up", "--label", "prices")
    assert (made["repository"], made["path"], made["mark"] is not None) == ("money", "src/money/rounding.py", True)
    assert "1 unchanged" in pair.ask("scan").stdout
    pair.change_money(MOVED)
    report = pair.read("scan")
    (trigger,), (proposal,) = report["triggers"], report["proposals"]
    assert (trigger["repository"], trigger["change_type"]) == ("money", "CONTENT")
    assert (proposal["repository"], proposal["new_path"]) == ("money", "src/money/numbers.py")
    lines = [line for hunk in trigger["patch"]["hunks"] for line in hunk["lines"]]
    assert "+        whole = whole + 3" in lines
    assert "money//src/money/rounding.py" in pair.ask("scan").stdout
    assert "applied" in pair.ask("apply").stdout
    assert pair.read("scan")["unchanged"] == 1


def test_where_there_is_a_mirror_the_commits_are_named(pair: Pair) -> None:
    mirror = mirror_of("money", pair.mirrors)
    mirror.parent.mkdir(parents=True)
    run_git(mirror.parent, "clone", "-q", "--mirror", str(pair.money.root), str(mirror))
    shutil.rmtree(pair.money.root)
    bare = World(mirror)
    assert ask(pair.url, "money", "index", cwd=mirror).returncode == 0
    pair.ask("subscribe", "money//round_up")
    files = {**MONEY, "src/money/rounding.py": ROUND_UP.replace("+ 1", "+ 9")}
    commit_in(bare, files, "Round to nine")
    assert ask(pair.url, "money", "index", cwd=mirror).returncode == 0
    (trigger,) = pair.read("scan")["triggers"]
    assert [commit["subject"] for commit in trigger["commits"]] == ["Round to nine"]


def commit_in(bare: World, files: dict[str, str], subject: str) -> None:
    clone = bare.root.parent / "clone"
    run_git(bare.root.parent, "clone", "-q", str(bare.root), str(clone))
    for path, text in files.items():
        (clone / path).write_text(text)
    for arguments in (("add", "-A"), ("commit", "-qm", subject), ("push", "-q", "origin", "HEAD")):
        run_git(clone, *arguments)


def test_patterns_users_and_lines_of_another_repository(pair: Pair) -> None:
    for ref in ("money//**::Account*", "money//src/money/account.py:1-3"):
        pair.ask("subscribe", ref)
    pair.ask("subscribe", "money//round_up", "--users")
    listed = pair.ask("subscriptions").stdout
    assert "money//src/money/account.py" in listed
    assert "money//**::Account*" in listed
    pair.change_money({**MONEY, "src/money/account.py": CALLING})
    triggers = pair.read("scan")["triggers"]
    assert sorted((one["repository"], one["summary"].removeprefix(f"{one['subject']}: ")) for one in triggers) == [
        ("money", "2 users added"),
        ("money", "lines changed"),
        ("money", "match Account.close changed"),
    ]


def test_a_base_is_one_of_this_repository_so_others_are_left_out(pair: Pair) -> None:
    pair.ask("subscribe", "money//round_up")
    pair.change_money(MOVED)
    report = pair.read("scan", "--base", "HEAD")
    assert (report["triggers"], report["unchanged"]) == ([], 0)


def test_a_repository_that_is_gone_is_a_problem_and_nothing_is_lost(pair: Pair) -> None:
    pair.ask("subscribe", "money//round_up")
    pair.change_money(MOVED)
    pair.ask("scan")
    delete_index(pair.url, "money")
    report = pair.read("scan")
    assert (report["triggers"], report["unchanged"]) == ([], 0)
    assert report["problems"][0]["path"] == "money"
    assert len(pair.read("subscriptions")) == 1
    assert "no index of this repository" in pair.ask("apply", "--scan", "1").stdout


def delete_index(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM birthmark.repositories WHERE name = %s", (name,))


def test_a_team_file_cannot_name_another_repository(pair: Pair) -> None:
    refused = pair.ask("subscribe", "money//round_up", "--team", code=2)
    assert "omit --team" in refused.stderr
    (pair.shop.root / "birthmark.toml").write_text('[subscriptions.sub-0000000000]\nref = "f"\nrepository = "money"\n')
    assert "subscriptions.sub-0000000000: is about another repository" in pair.ask("scan").stderr


def test_a_repository_that_the_database_does_not_have_is_part_of_a_path(pair: Pair) -> None:
    wrong = pair.ask("subscribe", "mony//src/money/rounding.py::round_up", code=2)
    assert "mony" in wrong.stderr


def test_machine_formats_put_it_nowhere_and_say_where_it_is(pair: Pair) -> None:
    pair.ask("subscribe", "money//round_up")
    pair.change_money({**MONEY, "src/money/rounding.py": ROUND_UP.replace("+ 1", "+ 9")})
    (result,) = json.loads(pair.ask("scan", "--format", "sarif").stdout)["runs"][0]["results"]
    assert result["locations"] == []
    assert "money//src/money/rounding.py:1-10" in result["message"]["text"]
    assert "file=" not in pair.ask("scan", "--format", "github").stdout
    assert "money//src/money/rounding.py" in pair.ask("scan", "--format", "markdown").stdout


@pytest.fixture
def persons(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> tuple[Client, Client]:
    """Anna, whose token is for both repositories, and Carl, whose is for `shop`."""
    monkeypatch.setenv(STORE, pair.url)
    monkeypatch.setenv(REPOSITORY, "shop")
    workspace, app = find_workspace(pair.shop.root), make_site(pair.shop.root, Hosts.of(7433), SECRETS)

    def client_of(name: str, *repositories: str) -> Client:
        token = add_token(workspace, name, writes=True, repositories=repositories)
        return Client(app, [HOST, ("Authorization", f"Bearer {token}")])

    return client_of("anna", "shop", "money"), client_of("carl", "shop")


def test_a_scan_counts_what_a_person_sees(pair: Pair, persons: tuple[Client, Client]) -> None:
    (anna, carl), cart = persons, pair.shop.root / "shop/cart.py"
    for ref in ("money//round_up", "money//Account", "total", "pay"):
        pair.ask("subscribe", ref)
    inactive = pair.read("subscribe", "money//Account.close")["id"]
    assert anna.post(f"/v1/subscriptions/{inactive}/deactivate").status == 200
    pair.ask("scan")
    pair.change_money(MOVED)
    pair.ask("scan")
    cart.write_text(cart.read_text().replace(", 2)", ", 3)"))
    pair.ask("scan")

    def counts(client: Client, number: int) -> tuple[int, int, int]:
        report = client.get(f"/v1/scans/{number}").document
        return len(report["triggers"]), report["unchanged"], report["inactive"]

    assert [counts(anna, number) for number in (1, 2, 3)] == [(0, 4, 1), (1, 3, 1), (2, 2, 1)]
    assert [counts(carl, number) for number in (1, 2, 3)] == [(0, 2, 0), (0, 2, 0), (1, 1, 0)]
    for client in persons:
        listed = {one["scan"]: one["triggers"] for one in client.get("/v1/scans").document["items"]}
        assert listed == {number: counts(client, number)[0] for number in (1, 2, 3)}
    assert "1 trigger" in text_of(shown(carl.get("/subscriptions")))
    assert "2 triggers" in text_of(shown(anna.get("/subscriptions")))
    assert "2 triggers" not in text_of(shown(carl.get("/subscriptions")))


def test_a_person_sees_no_subscription_about_a_repository_that_is_not_theirs(
    pair: Pair, persons: tuple[Client, Client]
) -> None:
    id_ = pair.read("subscribe", "money//round_up")["id"]
    pair.change_money(MOVED)
    pair.ask("scan")
    anna, carl = persons
    for path in ("subscriptions", f"subscriptions/{id_}", f"subscriptions/{id_}/state", "triggers", "scans/1", "feed"):
        assert "money" in anna.get(f"/v1/{path}").body.decode(), path
        reply = carl.get(f"/v1/{path}")
        assert (reply.status, "money" in reply.body.decode()) == (404 if id_ in path else 200, False), path
    assert carl.post("/v1/subscriptions", {"ref": "money//round_up"}).status == 404
    assert carl.post(f"/v1/subscriptions/{id_}", method="DELETE").status == 404
    assert carl.post("/v1/scan", {}).document["triggers"] == []
    assert carl.post("/v1/apply", {"scan": 1}).document["applied"] == []
    assert len(anna.post("/v1/apply", {"scan": 1}).document["applied"]) == 1
    delete_index(pair.url, "money")
    number = pair.read("scan")["scan"]
    assert "money" in anna.get(f"/v1/scans/{number}").body.decode()
    assert "money" not in carl.get(f"/v1/scans/{number}").body.decode()
