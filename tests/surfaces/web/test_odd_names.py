"""Files whatever they are called have pages, and links lead to them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_pages import links_in, shown, site_of

from asgi import Client
from birthmark.surfaces.web.links import file_link, folder_link
from worlds import World

NAMES = {
    "line feed": b"a\nb.py",
    "line feed at the end of a folder": b"d\n/e.py",
    "carriage return": b"a\rb.py",
    "tab": b"a\tb.py",
    "double quote": b'a"b.py',
    "single quote": b"a'b.py",
    "hash": b"a#b.py",
    "question mark": b"a?b.py",
    "percent": b"a%b.py",
    "an escape": b"a%2Fb%0A.py",
    "folder of a query": b"d#?&/e.py",
    "space": b" a b .py",
    "backslash": b"a\\b.py",
    "backslash and line feed": b"a\\\nb.py",
    "byte": b"a\xe9b.py",
    "bytes": b"\xff\xfe.py",
    "text like a byte": b"a\\xe9c.py",
    "accent": "é.py".encode(),
    "two code points": b"e\xcc\x81.py",
    "control": b"a\x1b\x7f.py",
    "direction": b"a\xe2\x80\xaeb.py",
    "separator": b"a\xe2\x80\xa8b.py",
    "form": b"a;b&c=d+e.py",
    "markup": b"<b>.py",
    "colons": b"a::b.py",
    "line": b"a:3.py",
    "root": b":/x.py",
    "pattern": b"[x]*{y}.py",
    "dots": b"..x/...py",
    "routes": b"v1/entities/a.py",
}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), with_git=True)
        for number, name in enumerate(NAMES.values()):
            file = Path(folder, os.fsdecode(name))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"def f{number}():\n    return 1\n")
        world.commit()
        world.index()
        yield world


@pytest.fixture(scope="module")
def browser(world: World) -> Client:
    return site_of(world.root)


def page(browser: Client, link: str) -> str:
    path, _, query = link.partition("#")[0].partition("?")
    return shown(browser.send("GET", path, query=query))


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_a_name_has_pages(world: World, browser: Client, number: int) -> None:
    entity = world.entity(f"f{number}")
    path, mark = entity.entity.path, entity.mark
    assert f"f{number}" in page(browser, file_link(path))
    assert f"f{number}" in page(browser, file_link(path, at="HEAD"))
    assert f"f{number}" in page(browser, f"/life/{mark}")
    linked = {link.partition("#")[0] for link in links_in(page(browser, f"/entity/{mark}"))}
    assert file_link(path, 1).partition("#")[0] in linked
    folder = path.rpartition("/")[0]
    assert file_link(path) in links_in(page(browser, folder_link(folder) if folder else "/"))
