"""Who gets pages: browsers that are signed in, by the printed link or by the token."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_pages import COOKIE, FORM, HOST, SECRETS, TOKEN, links_in, send_form, shown, site_of, text_of

from asgi import Client
from worlds import World

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


def test_the_printed_link_signs_a_browser_in(world: World) -> None:
    reply = site_of(world.root, HOST).send("GET", "/sign-in", [HOST], query=f"code={SECRETS.code}")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"{SECRETS.cookie_name}={SECRETS.cookie};")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in cookie.split(";")}


@pytest.mark.parametrize("query", ["", "code=", "code=wrong", f"code={SECRETS.code[:-1]}", f"code={SECRETS.code}x"])
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
