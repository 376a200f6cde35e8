"""The documentation's site is complete, its links are right, and it loads nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import birthmark
from site_building import ROOT, build_site

LOADING = {"audio", "embed", "iframe", "img", "input", "link", "object", "script", "source", "track", "video"}


class SitePage(HTMLParser):
    """What a page of the site has: ids, links, what it loads, what is in its navigation, and classes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.listed: set[str] = set()
        self.classes: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        classes = given.get("class", "").split()
        self.classes.update(classes)
        self.ids.update(given[name] for name in ("id", "name") if name in given)
        addresses = [given[name] for name in ("src", "href", "srcset", "data", "poster") if name in given]
        (self.loaded if tag in LOADING else self.links).extend(addresses)
        if "md-nav__link" in classes or "md-tabs__link" in classes:
            self.listed.update(addresses)


class Site:
    """All pages, by their path in the site."""

    def __init__(self, folder: Path, printed: str) -> None:
        self.folder, self.printed = folder, printed
        self.pages = {path.relative_to(folder).as_posix(): SitePage(path) for path in folder.rglob("*.html")}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    return Site(folder, build_site(folder))


def test_it_is_made_without_a_warning(site: Site) -> None:
    assert site.printed == ""


def test_every_document_is_a_page_that_is_listed(site: Site) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in ROOT.glob("docs/**/*.md")}
    assert pages <= site.pages.keys()
    listed = {urlsplit(address).path for address in site.pages["index.html"].listed}
    assert pages - listed == set()


def test_links_lead_to_pages_and_headings(site: Site) -> None:
    """Those of MkDocs are checked when it is made; these are all, also those that extensions have put in."""
    broken = []
    for path, page in site.pages.items():
        for link in (*page.links, *page.loaded) if path != "404.html" else ():
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (site.folder / path).parent / unquote(address.path) if address.path else site.folder / path
            name = target.resolve().relative_to(site.folder.resolve()).as_posix()
            is_right = target.exists() and (
                not address.fragment or name not in site.pages or unquote(address.fragment) in site.pages[name].ids
            )
            broken += [] if is_right else [f"{path}: {link}"]
    assert broken == []


def test_it_loads_nothing_from_elsewhere(site: Site) -> None:
    """No fonts, no scripts, no pictures. The theme would load a script for diagrams only where a page has one."""
    foreign = [
        f"{path}: {address}"
        for path, page in site.pages.items()
        for address in page.loaded
        if urlsplit(address).netloc or urlsplit(address).scheme not in ("", "data")
    ]
    assert foreign == []
    assert not [path for path, page in site.pages.items() if "mermaid" in page.classes]
    for sheet in site.folder.rglob("*.css"):
        addresses = re.findall(r"(?:url\(|@import\s*)[\"']?([^\"')\s]+)", sheet.read_text("utf-8"))
        assert [one for one in addresses if not one.startswith(("data:", "#", "../")) and "//" in one] == []


def test_links_lead_to_no_other_hosts_than_documents_name(site: Site) -> None:
    """Nothing is advertised; what documents cite, they cite."""
    written = "".join(path.read_text("utf-8") for path in ROOT.glob("docs/**/*.md"))
    hosts = {urlsplit(link).netloc for page in site.pages.values() for link in page.links} - {""}
    assert {host for host in hosts if host not in written} == set()


@pytest.mark.parametrize("name", sorted({*birthmark.__all__} - {"__version__"}))
def test_every_public_name_is_described(name: str, site: Site) -> None:
    page, value = site.pages["reference/python.html"], getattr(birthmark, name)
    members = vars(value) if name in ("Repository", "Subscriptions", "VectorStore") else ()
    public = [one for one in members if not one.startswith("_") and getattr(value, one).__doc__]
    assert {f"birthmark.{name}", *(f"birthmark.{name}.{one}" for one in public)} - page.ids == set()
