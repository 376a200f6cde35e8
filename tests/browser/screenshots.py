"""Pictures of pages for the documents: `make screenshots` writes them to docs/pictures/pages.

They are of the sample repository, whose commits and marks are the same in every copy.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, StorageState, sync_playwright

from browser.find_browser import FLAGS, MISSING, find_browser
from browser.png import with_palette
from browser.serving import Served, make_served_shop, serving, sign_in
from browser.visits import VISITS

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "pages"
SHOWN = (
    *("overview", "search", "file", "entity", "life", "diff", "graph", "impact", "modules", "hotspots"),
    *("subscriptions", "subscription", "scan"),
)
SCHEMES = ("light", "dark")
_SIZE = {"width": 1360, "height": 900}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = find_browser(playwright.chromium.executable_path)
        if path is None:
            sys.exit(MISSING)
        with serving(make_served_shop(Path(folder) / "shop")) as served:
            browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            signed_in = sign_in(browser, served)
            for scheme in SCHEMES:
                take_pictures(browser, served, scheme, signed_in)
            browser.close()


def take_pictures(browser: Browser, served: Served, scheme: str, signed_in: StorageState) -> None:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport=_SIZE,  # type: ignore[arg-type]
        reduced_motion="reduce",
        storage_state=signed_in,
    )
    page = context.new_page()
    for name in (name for name in SHOWN if name in VISITS):
        page.goto(served.address(VISITS[name]))
        page.wait_for_load_state("load")
        page.wait_for_timeout(1000)  # for parts that load by themselves; a stream of events never ends
        picture = page.screenshot(animations="disabled", caret="hide")
        (FOLDER / f"{name}-{scheme}.png").write_bytes(with_palette(picture))
    context.close()


if __name__ == "__main__":
    main()
