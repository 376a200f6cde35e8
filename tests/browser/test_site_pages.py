"""Pages of the documentation's site, read from the folder: light, dark and narrow, with nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize

from site_building import build_site

PAGES = ("index", "tutorial", "how-to/review-a-change", "reference/python", "explanation/matching")
WIDE, NARROW = ViewportSize(width=1300, height=900), ViewportSize(width=390, height=844)
# Of blocks of code and of wide tables; the theme makes them so.
OF_THE_THEME = {"landmark-unique", "scrollable-region-focusable"}


@pytest.fixture(scope="module")
def folder(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert build_site(folder) == ""
    return folder


@pytest.fixture(params=["light", "dark", "narrow"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(
        color_scheme="dark" if request.param == "dark" else "light",
        viewport=NARROW if request.param == "narrow" else WIDE,
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_and_can_be_read(name: str, folder: Path, page: Page) -> None:
    foreign: list[str] = []
    page.on("request", lambda one: None if one.url.startswith(("file:", "data:")) else foreign.append(one.url))
    page.goto((folder / f"{name}.html").as_uri())
    assert foreign == []
    pictures = page.locator(".md-content img").all()
    assert all(one.evaluate("one => one.complete && one.naturalWidth > 0") for one in pictures)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["id"] not in OF_THE_THEME] == []
