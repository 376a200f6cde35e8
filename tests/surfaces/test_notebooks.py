"""Notebooks show documents as HTML with everything in it, in which no text of a repository is markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from birthmark import Repository
from birthmark.documents.document import Document
from birthmark.surfaces.formats.notebooks import HIGHLIGHTS
from example_shop import make_shop

ASSETS = Path(__file__).parents[2] / "src/birthmark/surfaces/web/assets"
ELEMENTS = set("div style p span strong code pre table tr td svg title desc rect path text g".split())
HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a&b</title></svg>", "\x1b[31m\u202ered\x00"]


class Reader(HTMLParser):
    """The elements of a text, their attributes, and what is read of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.text, self._open = "", [""]
        self.feed(html)
        self.close()
        assert self._open == [""], "all that is opened is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += "" if "style" in self._open else data


def read(document: Document) -> Reader:
    html = document._repr_html_()
    assert html is not None
    found = Reader(html)
    assert set(found.elements) <= ELEMENTS
    assert not {name for name in found.attributes if name.startswith("on") or name in ("href", "src")}
    assert not re.search(r"url\(|@import|https?:", html)
    return found


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository.open(make_shop(tmp_path_factory.mktemp("notebooks") / "shop").root)


def test_an_entity_has_its_name_place_mark_and_source(repository: Repository) -> None:
    entity = repository.entity("net")
    found = read(entity)
    assert found.text == f"fn net src/tax.py:1-2 {entity.mark}def net(price, rate=0.2):\n    return price / (1 + rate)"
    assert '<span class="hl-keyword">def</span>' in str(entity._repr_html_())


def test_a_history_has_its_timeline_and_steps(repository: Repository) -> None:
    found = read(repository.history("Cart.total"))
    assert found.elements.count("svg") == 1
    assert found.elements.count("tr") == 2
    for text in ("The life of Cart.total", "Totals are without tax", "introduced", "2024-03-09"):
        assert text in found.text


def test_other_answers_are_tables(repository: Repository) -> None:
    assert "present" in read(repository.resolve("Cart")).text
    assert "did you mean Cart" in read(repository.resolve("Card")).text
    assert "Cart.total" in read(repository.users("net")).text
    assert "Cart.total" in read(repository.search("tota")).text
    assert "renamed" in read(repository.diff("HEAD~1")).text
    assert repository.status()._repr_html_() is None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_they_are(repository: Repository, text: str) -> None:
    entity = replace(repository.entity("net"), qualified_name=text, path=text, mark=text, source=text, kind=text)
    history = repository.history("Cart.total")
    subject = replace(history.entity, qualified_name=text, path=text)
    events = [replace(event, subject=text, author=text) for event in history.events]
    for document in (entity, replace(history, entity=subject, events=events)):
        shown = read(document).text
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert text.split("\x1b")[0] in shown


def test_a_deleted_entity_says_so(tmp_path: Path) -> None:
    world = make_shop(tmp_path / "shop")
    world.remove("src/tax.py")
    world.commit()
    found = read(Repository.open(world.root).entity("net"))
    assert "deleted in" in found.text


def test_source_has_the_colours_of_pages() -> None:
    style = (ASSETS / "style.css").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for name, colour in re.findall(r"--hl-(\w+): (#\w+)", style):
        found.setdefault(name, []).append(colour)
    assert {name: tuple(dict.fromkeys(colours)) for name, colours in found.items()} == HIGHLIGHTS
