"""Notes on the page of an entity and on a page of their own, and the forms that change them."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_pages import links_in, send_form, shown, site_of, text_of

from asgi import Client
from running import birthmark, document
from worlds import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": "def f(a):\n    return a + 1\n\n\ndef g(b):\n    return b * 2\n"}, with_git=True)
    world.commit()
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def test_a_note_is_written_kept_edited_and_deleted(world: World, browser: Client) -> None:
    mark = world.mark("f")
    page = f"/entity/{mark}"
    assert "Notes 0" in text_of(shown(browser.get(page)))
    reply = send_form(browser, "/notes", ref=mark, text="First <b>\r\nsecond")
    assert (reply.status, reply.headers["location"]) == (303, f"{page}#notes")
    [note] = document("notes", cwd=world.root)
    assert note["text"] == "First <b>\nsecond"
    html = shown(browser.get(page))
    assert "First &lt;b&gt;<br>second" in html
    assert "Notes 1" in text_of(html)
    assert "Still true" not in html

    world.replace("a.py", "a + 1", "a + 2")
    text = text_of(shown(browser.get(page)))
    assert "The code has changed since: body." in text
    assert "1 line added, 1 removed since" in text
    assert send_form(browser, f"/notes/{note['id']}/edit", text="Other").status == 303
    assert send_form(browser, f"/notes/{note['id']}/keep").headers["location"] == f"{page}#notes"
    html = shown(browser.get(page))
    assert "The code has changed since" not in html
    assert "Other" in text_of(html)
    assert send_form(browser, f"/notes/{note['id']}/delete").status == 303
    assert document("notes", cwd=world.root) == []


def test_the_list_has_a_filter_for_stale_ones(world: World, browser: Client) -> None:
    assert "There are no notes." in text_of(shown(browser.get("/notes")))
    for ref in ("f", "g"):
        assert birthmark("note", ref, f"About {ref}.", "--team", cwd=world.root).returncode == 0
    html = shown(browser.get("/notes"))
    assert "About f." in html
    assert f"/entity/{world.mark('g')}" in links_in(html)
    assert "No note is stale." in text_of(shown(browser.get("/notes", stale="true")))
    world.replace("a.py", "b * 2", "b * 3")
    text = text_of(shown(browser.get("/notes", stale="true")))
    assert ("About g." in text, "About f." in text) == (True, False)
    assert "no such parameter" in text_of(shown(browser.get("/notes", wrong="1"), 400))


def test_what_was_deleted_is_said(world: World, browser: Client) -> None:
    mark = world.mark("f")
    assert birthmark("note", "f", "Why.", cwd=world.root).returncode == 0
    world.write("a.py", "def g(b):\n    return b * 2\n")
    text = text_of(shown(browser.get("/notes")))
    assert "What it is about was deleted" in text
    html = shown(browser.get(f"/entity/{mark}"))
    assert "Why." in html
    assert 'action="/notes"' not in html


def test_what_is_unknown_here_has_no_link(world: World, browser: Client) -> None:
    assert birthmark("note", "f", "Why.", "--team", cwd=world.root).returncode == 0
    toml = world.read("birthmark.toml").replace(world.mark("f"), "bm-000000000000").replace('"a.py"', '"<x>.py"')
    toml = toml.replace("__a_py", "__b_py")
    world.write("birthmark.toml", toml)
    html = shown(browser.get("/notes"))
    assert "What it is about is not known in this index: <x>.py::f." in text_of(html)
    assert not any(link.startswith("/entity/") for link in links_in(html))


def test_a_form_needs_its_token_and_its_fields(world: World, browser: Client) -> None:
    mark = world.mark("f")
    assert shown(send_form(browser, "/notes", "wrong", ref=mark, text="x"), 403)
    assert "text: is missing" in text_of(shown(send_form(browser, "/notes", ref=mark, text=""), 400))
    assert shown(send_form(browser, "/notes/note-0000000000/keep"), 404)
    assert document("notes", cwd=world.root) == []
