"""One server and one browser for all tests of pages in a process, started by the first and stopped after the last.

Playwright keeps an event loop running, with which other tests could not start theirs; so nothing of it outlasts them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, StorageState, sync_playwright

from browser.find_browser import FLAGS, MISSING, find_browser, must_have_browser
from browser.serving import Served, make_served_shop, serving, sign_in

NewPage = Callable[..., Page]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = find_browser(playwright.chromium.executable_path)
        if path is None:
            (pytest.fail if must_have_browser() else pytest.skip)(MISSING)
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def served(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(make_served_shop(tmp_path_factory.mktemp("served") / "shop"), "--watch") as served:
        yield served


@pytest.fixture(scope="package")
def signed_in(chromium: Browser, served: Served) -> StorageState:
    return sign_in(chromium, served)


@pytest.fixture
def new_page(chromium: Browser, served: Served, signed_in: StorageState) -> Iterator[NewPage]:
    """Pages of a browser that is signed in, with the options of its context."""
    contexts: list[BrowserContext] = []

    def make(**options: object) -> Page:
        context = chromium.new_context(**{"storage_state": signed_in, "reduced_motion": "reduce", **options})  # type: ignore[arg-type]
        context.set_default_timeout(20_000)
        context.route("**/v1/events", _send_no_events)
        contexts.append(context)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


def _send_no_events(route: Route) -> None:
    """Live updates have tests of their own, and must not change a page during the others."""
    route.fulfill(content_type="text/event-stream", body="retry: 3600000\n\n")
