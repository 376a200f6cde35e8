"""Who gets pages: browsers that are signed in, by the printed link or by the token."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from web_pages import COOKIE, FORM, HOST, PORT, SECRETS, TOKEN, links_in, send_form, shown, site_of, text_of

from asgi import Client, Reply
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.observation import Monitoring
from birthmark.surfaces.web.sign_in import SignInLink
from birthmark.surfaces.web.site import make_site
from worlds import World

CODE = SECRETS.link.code
HOSTILE = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """A name and a docstring with markup in them."""
    with tempfile.TemporaryDirectory() as folder:
        text = f'def greet(name):\n    """{HOSTILE}"""\n    return "<b>" + name\n'
        world = World(
            Path(folder), {"<b>shop.py": text, "cart.js": "class Cart { total() { return 1 } }\n"}, with_git=True
        )
        world.commit()
        world.index()
        yield world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def follow_link(client: Client, link: SignInLink, *headers: tuple[str, str]) -> Reply:
    return client.send("GET", "/sign-in", [HOST, *headers], query=f"code={link.code}")


def site_with(root: Path, link: SignInLink, monitoring: Monitoring | None = None) -> Client:
    secrets = SECRETS._replace(link=link)
    return Client(make_site(root, Hosts.of(PORT), secrets, monitoring=monitoring), [HOST])


def test_the_printed_link_signs_a_browser_in(world: World) -> None:
    link = SignInLink.make()
    reply = follow_link(site_with(world.root, link), link)
    assert (reply.status, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"{SECRETS.cookie_name}={SECRETS.cookie};")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("GET", "/v1/index", {"POST"}), ("POST", "/v1/show", {"GET", "HEAD"})]
)
def test_a_json_route_lists_its_methods_beside_pages(world: World, method: str, path: str, allowed: set[str]) -> None:
    bearer = ("Authorization", f"Bearer {SECRETS.token.decode()}")
    reply = site_of(world.root, bearer).send(method, path)
    assert (reply.status, reply.code) == (405, "method_not_allowed")
    assert set(reply.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize(("n_before", "seconds"), [(1, 600.0), (0, 0.0)])
def test_a_link_is_good_once_and_for_a_time(world: World, n_before: int, seconds: float) -> None:
    link = SignInLink.make(seconds)
    client = site_with(world.root, link)
    assert [follow_link(client, link).status for _ in range(n_before)] == [303] * n_before
    reply = follow_link(client, link)
    assert "set-cookie" not in reply.headers
    assert "Paste the token below, or stop `birthmark serve` and start it again" in text_of(shown(reply, 401))
    assert follow_link(client, link, COOKIE).headers["location"] == "/"


def test_a_browser_that_is_signed_in_does_not_use_the_link_up(world: World) -> None:
    link = SignInLink.make()
    client = site_with(world.root, link)
    assert "set-cookie" not in follow_link(client, link, COOKIE).headers
    assert "set-cookie" in follow_link(client, link).headers


def test_the_link_is_in_no_log(world: World, tmp_path: Path) -> None:
    link, files = SignInLink.make(), (tmp_path / "audit", tmp_path / "log")
    follow_link(site_with(world.root, link, Monitoring(*files)), link)
    assert '"/sign-in"' in files[1].read_text()
    assert not [file for file in files if file.exists() and link.code in file.read_text()]


def test_processes_share_the_use_of_a_link(world: World) -> None:
    command = [sys.executable, "-m", "birthmark", "serve", "--port", "0", "--processes", "2"]
    with subprocess.Popen(command, cwd=world.root, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            found = re.search(r"open http://([^/]+)(/\S+)", "".join(server.stderr.readline() for _ in range(3)))
            assert found is not None
            with ThreadPoolExecutor(8) as threads:
                statuses = list(threads.map(lambda _: status_of(found[1], found[2]), range(40)))
        finally:
            server.terminate()
    assert sorted(statuses) == [303, *[401] * 39]


def status_of(address: str, path: str) -> int:
    with closing(HTTPConnection(address, timeout=60)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


@pytest.mark.parametrize(
    "query", ["", "code=", "code=wrong", f"code={SECRETS.link.code[:-1]}", f"code={SECRETS.link.code}x"]
)
def test_another_link_does_not(world: World, query: str) -> None:
    reply = site_of(world.root).send("GET", "/sign-in", [HOST], query=query)
    assert "set-cookie" not in reply.headers
    assert "paste the token" in text_of(shown(reply, 401))


def test_the_token_in_a_form_signs_in_too(world: World) -> None:
    client = site_of(world.root)
    reply = client.send("POST", "/sign-in", [HOST, FORM], [b"token=" + TOKEN])
    assert reply.status == 303
    assert SECRETS.cookie in reply.headers["set-cookie"]
    refused = client.send("POST", "/sign-in", [HOST, FORM], [b"token=wrong"])
    assert "not the token" in text_of(shown(refused, 401))
    assert "set-cookie" not in refused.headers


@pytest.mark.parametrize("cookie", [None, "", "birthmark-7433=", f"other={SECRETS.cookie}", f"{COOKIE[1]}x"])
def test_without_the_cookie_there_are_no_pages(world: World, cookie: str | None) -> None:
    headers = [HOST, *([("Cookie", cookie)] if cookie is not None else [])]
    for path in ("/", "/entity/greet", "/nowhere"):
        html = shown(site_of(world.root).send("GET", path, headers), 401)
        assert "greet" not in html
        assert world.root.name not in html


def test_the_cookie_may_ask_for_json_but_not_write(browser: Client) -> None:
    assert browser.get("/v1/show", ref="greet").document["name"] == "greet"
    reply = browser.post("/v1/subscriptions", {"ref": "greet"})
    assert (reply.status, reply.code) == (401, "unauthorized")


def test_forms_need_their_token(browser: Client) -> None:
    for token in ("", "wrong", SECRETS.form_token[:-1]):
        assert shown(send_form(browser, "/subscriptions", token, ref="greet"), 400 if not token else 403)
    assert browser.get("/v1/subscriptions").document["items"] == []


def test_forms_of_other_origins_are_refused(browser: Client) -> None:
    headers = [*browser.headers, FORM, ("Origin", "http://evil.example")]
    body = f"form_token={SECRETS.form_token}&ref=greet".encode()
    assert browser.send("POST", "/subscriptions", headers, [body]).status == 403


def test_markup_of_a_repository_is_shown_as_text(browser: Client) -> None:
    html = shown(browser.send("GET", browser.get("/entity/greet").headers["location"]))
    assert "<script>alert" not in html
    assert "<b>" not in html
    assert HOSTILE in text_of(html)
    assert "<b>shop.py" in text_of(html)


def test_pages_allow_no_script_of_others(browser: Client) -> None:
    reply = browser.send("GET", browser.get("/entity/greet").headers["location"])
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["referrer-policy"] == "same-origin"
    assert all(link.startswith(("/", "#")) for link in links_in(shown(reply)))


def test_assets_are_kept_by_browsers_until_they_change(browser: Client) -> None:
    html = shown(browser.send("GET", browser.get("/entity/greet").headers["location"]))
    style = next(link for link in links_in(html) if "style.css" in link)
    path, _, query = style.partition("?")
    assert "immutable" in browser.send("GET", path, query=query).headers["cache-control"]
    assert browser.send("GET", path, query="v=old").headers["cache-control"] == "no-store"
    assert browser.send("GET", "/assets/..%2Fsite.py").status == 404


def test_what_was_deleted_has_a_page(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "def gone():\n    return 1\n\n\ndef kept():\n    return 2\n"}, with_git=True)
    world.commit()
    world.index()
    world.write("a.py", "def kept():\n    return 2\n")
    world.commit()
    browser = site_of(tmp_path)
    html = shown(browser.send("GET", browser.get("/entity/gone").headers["location"]))
    assert "This is its last known source" in text_of(html)
    assert "def gone(): return 1" in text_of(html)
    assert 'name="ref"' not in html


def test_what_is_not_there_is_said_on_a_page(browser: Client) -> None:
    html = shown(browser.get("/entity/greeet"), 404)
    assert "greet" in text_of(html)
