"""Many repositories behind one server: each below its own address, each for those who may see it."""

from __future__ import annotations

import hmac
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from postgres_server import fresh_database
from served_fleets import SHOP, TOOLS, ServedFleet, wait_until
from web_pages import COOKIE, HOST, PORT, SECRETS, TOKEN, links_in, send_form, shown, text_of

from asgi import Client, Reply
from birthmark.app.serving.beside import SharedValue
from birthmark.app.workspace.workspace import STORE, find_workspace
from birthmark.server.commands.token_commands import remove_token
from birthmark.server.fleet.catalog import CatalogReader, FleetRepository, default_mirrors, mirror_of
from birthmark.server.serving.hooks import announce_push
from birthmark.server.serving.many import FewOpen, ServedMany, make_many
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.access.persons import Rights
from birthmark.surfaces.http.observation import Monitoring
from birthmark.surfaces.web.rendering import place_below
from birthmark.surfaces.workers import Workers
from running import birthmark
from worlds import World, run_git

STRANGER = ("Accept", "*/*")
OWNER = ("Authorization", f"Bearer {TOKEN.decode()}")


class Fleet(ServedFleet):
    def client(self, *headers: tuple[str, str]) -> Client:
        load, mirrors = CatalogReader(self.url).read, self.folder / "mirrors"
        monitoring, announce = Monitoring(self.folder / "audit.jsonl"), partial(announce_push, self.url)
        app = make_many(self.folder, Hosts.of(PORT), SECRETS, Workers(), load, mirrors, monitoring, announce)
        return Client(app, [HOST, *(headers or (OWNER,))])

    def client_of(self, name: str, *, writes: bool = False, repositories: tuple[str, ...] = ()) -> Client:
        secret = self.token_of(name, writes=writes, repositories=repositories)
        return self.client(("Authorization", f"Bearer {secret}"))


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    url = fresh_database()
    monkeypatch.setenv(STORE, url)
    return Fleet(tmp_path, url)


def test_each_is_below_its_own_address(fleet: Fleet) -> None:
    client = fleet.client()
    items = client.get("/v1/repositories").document["items"]
    assert [(one["name"], one["available"]) for one in items] == [
        ("acme/away", False),
        ("acme/shop", True),
        ("acme/tools", True),
    ]
    assert [one["address"] for one in items[1:]] == [SHOP, TOOLS]
    for address, name, other in ((SHOP, "price", "saw"), (TOOLS, "saw", "price")):
        found = client.get(f"{address}/v1/show", ref=name)
        assert found.document["qualified_name"] == name
        assert client.get(f"{address}/v1/show", ref=other).status == 404
    assert client.get("/v1/show", ref="price").code == "not_found"  # of none of them
    for missing in ("/repositories/acme%2Fnothing/v1/status", "/repositories/acme%2Faway/v1/status"):
        assert (client.get(missing).status, client.get(missing).code) == (404, "not_found")


def test_what_is_in_another_repository_has_its_address_there(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the server has that one: in scans, and in lists of subscriptions."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(fleet.folder / "cache"))
    mirror = mirror_of("acme/tools", default_mirrors())
    mirror.parent.mkdir(parents=True)
    mirror.symlink_to(fleet.folder / "acme/tools.git")  # has the commits
    unserved = World(fleet.folder / "unserved", {"b.py": "def plane(wood):\n    return wood - 1\n"}, with_git=True)
    unserved.commit()
    index_as("acme/unserved", unserved)
    client = fleet.client()
    for ref in ("acme/tools//saw", "acme/tools//*::s*", "acme/unserved//plane"):
        assert client.post(f"{SHOP}/v1/subscriptions", {"ref": ref}).status == 201
    fleet.push("acme/tools", "def saw(wood):\n    return wood / 3\n")
    fleet.refresh("acme/tools")
    unserved.replace("b.py", "- 1", "- 2")
    index_as("acme/unserved", unserved)
    assert len(client.post(f"{SHOP}/v1/scan", {}).document["triggers"]) == 3
    mark = client.get(f"{TOOLS}/v1/show", ref="saw").document["mark"]
    entity, lines = f"{TOOLS}/entity/{mark}", f"{TOOLS}/file/a.py?line=1#L1"
    commit = f"{TOOLS}/diff?base="
    for page, expected in (("/scans/1", (entity, lines, commit)), ("/subscriptions", (entity, lines))):
        html = shown(client.get(f"{SHOP}{page}"))
        assert "acme/unserved//plane" in text_of(html)
        assert "acme/tools//saw" in text_of(html)
        found = {link for link in links_in(html) if link.startswith("/repositories/") and not link.startswith(SHOP)}
        assert not [one for one in expected if not any(link.startswith(one) for link in found)]
        assert [link for link in found if client.send("GET", *split(link)).status != 200] == []


def test_pages_link_to_what_is_here_and_may_be_seen(tmp_path: Path) -> None:
    here, away = bare("here", tmp_path), bare("away", tmp_path / "away")
    catalog = SharedValue(lambda: {"here": here, "away": away}, 60.0)
    many = ServedMany(catalog, FewOpen(open_nothing, open_nothing, 1), Workers(), tmp_path)
    for repositories, served in (((), ["here"]), (("here", "away"), ["here"]), (("away",), [])):
        rights = Rights("anna", False, repositories)
        assert [name for name in ("here", "away", "unknown") if many.serves(rights, name)] == served


def bare(name: str, folder: Path) -> FleetRepository:
    return FleetRepository(name=name, source=str(folder))


def open_nothing(one: object) -> Any:
    pytest.fail(f"{one} is not to be opened")


def split(link: str) -> tuple[str, None, tuple[()], str]:
    path, _, query = link.partition("#")[0].partition("?")
    return path, None, (), query


def index_as(name: str, world: World) -> None:
    assert birthmark("--repository", name, "index", cwd=world.root).returncode == 0


def test_a_person_sees_what_the_token_is_for(fleet: Fleet) -> None:
    client = fleet.client_of("anna", repositories=("acme/shop",))
    assert [one["name"] for one in client.get("/v1/repositories").document["items"]] == ["acme/shop"]
    assert client.get(f"{SHOP}/v1/status").status == 200
    for hidden in (TOOLS, "/repositories/acme%2Fnothing"):  # whether it exists is not said
        reply = client.get(f"{hidden}/v1/status")
        assert (reply.status, reply.code) == (403, "forbidden")
    assert client.post(f"{SHOP}/v1/notes", {"ref": "price", "text": "mine"}).code == "forbidden"
    writer = fleet.client_of("ben", writes=True, repositories=("acme/shop",))
    assert writer.post(f"{SHOP}/v1/notes", {"ref": "price", "text": "mine"}).status == 201
    assert writer.post(f"{TOOLS}/v1/notes", {"ref": "saw", "text": "mine"}).status == 403
    assert fleet.client().get(f"{TOOLS}/v1/notes").document["items"] == []
    lines = [json.loads(line) for line in (fleet.folder / "audit.jsonl").read_text().splitlines()]
    assert [(line["person"], line["path"], line["status"]) for line in lines] == [
        ("anna", f"{SHOP}/v1/notes", 403),
        ("ben", f"{SHOP}/v1/notes", 201),
        ("ben", f"{TOOLS}/v1/notes", 403),
    ]


def test_what_was_pushed_is_indexed_by_others(fleet: Fleet) -> None:
    """The server says that it is behind, and answers from the new index when there is one."""
    client = fleet.client()
    assert client.get(f"{SHOP}/v1/show", ref="price").document["freshness"]["fresh"]
    fleet.push("acme/shop", "def cost(item):\n    return item.net\n")
    refused = client.post(f"{SHOP}/v1/index")
    assert (refused.status, "fleet refresh" in refused.document["error"]["message"]) == (404, True)
    wait_until(lambda: not client.get(f"{SHOP}/v1/status").document["fresh"])
    assert client.get(f"{SHOP}/v1/search", text="price").document["results"]
    fleet.refresh("acme/shop")
    assert client.get(f"{SHOP}/v1/show", ref="cost").status == 200
    wait_until(lambda: client.get(f"{SHOP}/v1/status").document["fresh"])


def test_the_ref_of_the_catalog_is_served(fleet: Fleet) -> None:
    run_git(fleet.folder / "acme/tools.git", "branch", "stable")
    fleet.push("acme/tools", "def drill(wood):\n    return wood\n")
    run_git(fleet.folder, "clone", "-q", "--bare", "acme/tools.git", "stable.git")
    stable = ("stable.git", "--ref", "refs/heads/stable", "--name", "acme/stable")
    assert birthmark("fleet", "add", *stable, cwd=fleet.folder).returncode == 0
    fleet.refresh("acme/stable")
    assert birthmark("show", "saw", cwd=fleet.folder / "stable.git").returncode == 0
    client = fleet.client()
    assert client.get("/repositories/acme%2Fstable/v1/show", ref="saw").status == 200
    assert client.get("/repositories/acme%2Fstable/v1/status").document["fresh"]


def test_a_stranger_gets_nothing(fleet: Fleet) -> None:
    client = fleet.client(STRANGER)
    for path in ("/v1/repositories", f"{SHOP}/v1/status", "/repositories", f"{SHOP}/", f"{SHOP}/search"):
        assert client.get(path).status == 401, path
    for open_path in (f"{SHOP}/assets/..%2Fx", "/repositories/acme%2Fnothing/assets/..%2Fx"):
        assert client.get(open_path).status == 404
    assert client.get("/healthz").status == client.get("/readyz").status == 200


def test_pages_lead_to_pages_of_the_same_repository(fleet: Fleet) -> None:
    browser = fleet.client(COOKIE)
    listed = shown(browser.get("/repositories"))
    assert {f"{SHOP}/", f"{TOOLS}/"} <= links_in(listed)
    assert "acme/away, not on this machine yet" in text_of(listed)
    for path in ("/", "/search?text=price", "/file/a.py", "/modules", "/nothing"):
        page, _, query = path.partition("?")
        reply = browser.send("GET", SHOP + page, query=query)
        own = {link for link in links_in(reply.body.decode()) if link.startswith("/")}
        assert own, path
        assert all(link.startswith((f"{SHOP}/", "/assets/", "/sign-in", "/repositories")) for link in own), (path, own)
    made = send_form(browser, f"{SHOP}/notes", ref="price", text="Net, not gross.")
    assert (made.status, made.headers["location"].startswith(f"{SHOP}/")) == (303, True)
    assert browser.get("/").headers["location"] == "/repositories"


def test_the_key_of_a_feed_opens_one_feed_of_one_repository(fleet: Fleet) -> None:
    """That of a person ends with their token."""
    id_ = fleet.client().post(f"{SHOP}/v1/subscriptions", {"ref": "price", "at": "HEAD"}).document["id"]
    anna, stranger = fleet.client_of("anna", repositories=("acme/shop",)), fleet.client(STRANGER)
    feeds = [f"{SHOP}/v1/feed", f"{SHOP}/v1/subscriptions/{id_}/feed"]
    pages = [f"{SHOP}/subscriptions", f"{SHOP}/subscriptions/{id_}"]
    hers, owners = ([feed_on(client.get(page)) for page in pages] for client in (anna, fleet.client()))
    assert all(one.partition("?")[0] in feeds for one in (*hers, *owners))
    assert hers[0] != owners[0]
    for address in (*hers, *owners):
        path, _, query = address.partition("?")
        opened = {other: stranger.send("GET", other, query=query).status for other in [*feeds, *pages]}
        assert opened == {other: 200 if other == path else 401 for other in opened}
        elsewhere = [path.replace(SHOP, one) for one in (TOOLS, "/repositories/acme%2Fnothing", "")]
        assert {stranger.send("GET", other, query=query).status for other in elsewhere} == {401}
        assert b"acme/shop" in stranger.send("GET", path, query=query).body
        assert stranger.send("POST", path, query=query).status == 401
    remove_token(find_workspace(fleet.folder), "anna")
    for path, _, query in (one.partition("?") for one in hers):
        assert fleet.client(STRANGER).send("GET", path, query=query).status == 401
    (fleet.folder / ".birthmark").mkdir(exist_ok=True)
    (fleet.folder / ".birthmark/http-token").write_bytes(TOKEN)
    (fleet.folder / ".birthmark/http-token").chmod(0o600)
    command = ("feed", id_, "--address", f"https://code.example{SHOP}/", "--served-from", str(fleet.folder))
    printed = birthmark("subscriptions", *command, cwd=fleet.folder / "acme/shop.git")
    assert printed.stdout == f"https://code.example{owners[1]}\n", printed


def feed_on(page: Reply) -> str:
    (address,) = (link for link in links_in(shown(page)) if "/feed?" in link)
    return address


def test_texts_of_a_page_are_not_addresses() -> None:
    html = b'<a href="/x">href=&#34;/y</a><a href="#z"></a><link href="/assets/a"><form action="/f">'
    expected = b'<a href="/p/x">href=&#34;/y</a><a href="#z"></a><link href="/assets/a"><form action="/p/f">'
    assert place_below("/p", html) == expected
    assert place_below("", html) == html


def test_a_few_are_open_at_once(tmp_path: Path) -> None:
    closed: list[str] = []
    few = FewOpen(lambda one: one.name, closed.append, most=2)
    one, two, three = (bare(name, tmp_path / name) for name in ("one", "two", "three"))
    for repository in (one, two, one, three):
        assert few.get(repository) == repository.name
    assert closed == ["two"]
    few.close()
    assert sorted(closed) == ["one", "three", "two"]


PUSH = json.dumps(
    {"ref": "refs/heads/main", "repository": {"clone_url": "https://code.example/Acme/Away.git"}}
).encode()
GITLAB_PUSH = json.dumps({"project": {"git_ssh_url": "git@code.example:acme/away.git"}}).encode()
JSON = ("Content-Type", "application/json")
SECRET = "s" * 20


def signature(body: bytes, secret: str = SECRET) -> tuple[str, str]:
    return "X-Hub-Signature-256", f"sha256={hmac.digest(secret.encode(), body, 'sha256').hex()}"


def send_push(fleet: Fleet, forge: str, body: bytes, *headers: tuple[str, str]) -> Reply:
    return fleet.client(STRANGER).send("POST", f"/v1/hooks/{forge}", [HOST, JSON, *headers], [body])


def test_a_signed_push_marks_the_repository(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    event = ("X-GitHub-Event", "push")
    assert send_push(fleet, "github", PUSH, signature(PUSH), event).code == "not_found"  # There is no secret.
    monkeypatch.setenv("BIRTHMARK_GITHUB_SECRET", SECRET)
    for wrong in (signature(PUSH, "other"), signature(PUSH + b" "), ("X-Hub-Signature-256", ""), ("X", "sha256=")):
        assert send_push(fleet, "github", PUSH, wrong, event).code == "unauthorized"
    ping = send_push(fleet, "github", PUSH, signature(PUSH), ("X-GitHub-Event", "ping"))
    assert (ping.status, ping.document, fleet.marked) == (202, {"marked": []}, [])
    pushed = send_push(fleet, "github", PUSH, signature(PUSH), event)
    assert (pushed.status, pushed.document) == (202, {"marked": ["acme/away"]})
    assert fleet.marked == ["acme/away"]
    broken = b"{"
    assert send_push(fleet, "github", broken, signature(broken), event).code == "bad_request"
    huge = b" " * (1 << 20) + PUSH
    assert send_push(fleet, "github", huge, signature(huge), event).code == "body_too_large"


def test_gitlab_sends_its_token(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRTHMARK_GITLAB_SECRET", SECRET)
    event = ("X-Gitlab-Event", "Push Hook")
    assert send_push(fleet, "gitlab", GITLAB_PUSH, ("X-Gitlab-Token", "wrong"), event).code == "unauthorized"
    assert send_push(fleet, "gitlab", GITLAB_PUSH, event).code == "unauthorized"
    assert send_push(fleet, "gitlab", GITLAB_PUSH, ("X-Gitlab-Token", SECRET), event).document == {
        "marked": ["acme/away"]
    }
    assert fleet.marked == ["acme/away"]
    assert send_push(fleet, "elsewhere", GITLAB_PUSH, ("X-Gitlab-Token", SECRET), event).code == "not_found"
