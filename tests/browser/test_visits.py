"""Every page, light and dark, wide and narrow: without errors, requests to others, violations of accessibility."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Page, Request

from browser.conftest import NewPage
from browser.serving import Served
from browser.visits import PATTERNS, VISITS

NARROW = {"width": 390, "height": 844}


class Watched:
    """What goes wrong on a page."""

    def __init__(self, page: Page, base: str) -> None:
        self.problems: list[str] = []
        self.base = base
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", self._on_request)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:")):
            self.problems.append(f"request: {request.url}")


def test_every_page_is_visited() -> None:
    paths = [address.partition("?")[0] for address in VISITS.values()]
    assert [page for page, pattern in PATTERNS.items() if not any(map(pattern.fullmatch, paths))] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", VISITS)
def test_a_page_has_no_errors_and_is_accessible(name: str, scheme: str, served: Served, new_page: NewPage) -> None:
    page = new_page(color_scheme=scheme)
    watched = Watched(page, served.base)
    response = page.goto(served.address(VISITS[name]), wait_until="networkidle")
    assert response is not None
    assert response.status == 200
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert watched.problems == []


@pytest.mark.parametrize("name", VISITS)
def test_a_narrow_page_does_not_scroll_sideways(name: str, served: Served, new_page: NewPage) -> None:
    page = new_page(viewport=NARROW)
    page.goto(served.address(VISITS[name]), wait_until="networkidle")
    widest = """() => [...document.querySelectorAll("body *")]
        .filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest("[role=region], svg, .unseen"))
        .map((one) => one.outerHTML.slice(0, 200)).slice(0, 3)"""
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], page.evaluate(widest)


@pytest.mark.parametrize("name", VISITS)
def test_a_page_is_whole_without_javascript(name: str, served: Served, new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(served.address(VISITS[name]))
    assert page.locator("main h1").count() == 1
    hidden = page.locator("main [hidden]:not(button)")
    assert hidden.count() == 0 or name == "file"  # The form for lines that were selected by clicks.
