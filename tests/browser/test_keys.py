"""What pages do beyond links and forms: keys, suggestions, copies, and updates that keep the reader's place."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from browser.conftest import NewPage
from browser.serving import Served, edited

ENTITY = "/entity/Basket.price"


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))


def test_a_slash_goes_to_the_search(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address("/subscriptions"))
    page.keyboard.press("/")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.type("a/b?")
    expect(page.locator("#find")).to_have_value("a/b?")
    expect(page.locator("#keys")).to_be_hidden()


def test_a_question_mark_opens_the_list_of_keys(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address("/subscriptions"))
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#keys")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#keys")).to_be_hidden()


def test_letters_go_to_pages_and_rows(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address("/deliveries"))
    page.keyboard.press("s")
    page.wait_for_url("**/subscriptions")
    page.keyboard.press("j")
    first = focused(page)
    page.keyboard.press("j")
    assert focused(page) != first
    page.keyboard.press("k")
    assert focused(page) == first


def test_tab_reaches_the_content(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address(ENTITY))
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")
    assert focused(page) == "content"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_every_link_and_field_is_reached_by_tab(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address("/subscriptions"))
    wanted = page.locator("main a:visible, main input:visible, main button:visible, main textarea:visible").count()
    reached = 0
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        reached += page.evaluate("document.activeElement.matches('main a, main input, main button, main textarea')")
    assert reached == wanted


def test_arrow_keys_go_through_suggestions(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.goto(served.address("/subscriptions"))
    page.locator("#find").press_sequentially("basket")
    expect(page.locator("#found")).to_be_visible()
    page.keyboard.press("ArrowDown")
    links = page.locator("#found a")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()


def test_names_are_copied(served: Served, new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(served.address(ENTITY))
    page.get_by_role("button", name="Copy the mark").click()
    expect(page.locator(".copy", has_text="Copied")).to_be_visible()
    assert re.fullmatch(r"bm-\w{12}", page.evaluate("navigator.clipboard.readText()"))


def test_an_update_keeps_focus_and_place(served: Served, new_page: NewPage) -> None:
    """The server's message is played back here, so that its time is known."""
    page = new_page(viewport={"width": 800, "height": 300})
    held: list[Route] = []
    page.route("**/v1/events", lambda route: held.append(route))
    page.goto(served.address(ENTITY))
    link = page.locator("aside a.name").first
    link.focus()
    page.evaluate("scrollTo(0, 250)")
    before = page.evaluate("scrollY")
    name = link.text_content()
    with edited(served.world, "shop/basket.py", "What all items cost together.", "What the customer pays."):
        served.world.index()
        held[0].fulfill(content_type="text/event-stream", body="retry: 3600000\nevent: index\ndata: {}\n\n")
        expect(page.locator("#source")).to_contain_text("What the customer pays.")
        expect(page.locator("#changed")).to_be_visible()
        assert page.evaluate("scrollY") == before
        assert page.evaluate("document.activeElement.textContent") == name
