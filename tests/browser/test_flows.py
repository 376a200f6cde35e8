"""What people come for, from page to page; each with JavaScript and without it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import NewPage
from browser.serving import Served, edited

BOTH = pytest.mark.parametrize("java_script_enabled", [True, False], ids=["scripts", "no-scripts"])


@BOTH
def test_find_an_entity_and_read_its_life(served: Served, new_page: NewPage, java_script_enabled: bool) -> None:
    page = new_page(java_script_enabled=java_script_enabled)
    page.goto(served.address("/"))
    page.locator("#find").fill("total")
    page.locator("#find").press("Enter")
    page.wait_for_url("**/search?text=total")
    page.locator("main").get_by_role("link", name="Basket.price").first.click()
    expect(page.locator("h1")).to_have_text("Basket.price")
    if not java_script_enabled:  # Else the page has loaded it.
        page.get_by_role("link", name="Its whole life in git").click()
    expect(page.locator(".steps > li")).to_have_count(3)
    expect(page.locator(".steps")).to_contain_text("Call a basket's total its price, as the guide does")
    page.get_by_role("link", name="as it was then").last.click()
    expect(page.locator("#source")).to_contain_text("def total(self):")


@BOTH
def test_compare_two_releases(served: Served, new_page: NewPage, java_script_enabled: bool) -> None:
    page = new_page(java_script_enabled=java_script_enabled)
    page.goto(served.address("/diff"))
    page.locator("[name=base]").first.fill("v1.0")
    page.locator("[name=target]").first.fill("HEAD")
    page.locator("[name=base]").first.press("Enter")
    page.wait_for_url("**/diff?*base=v1.0*")
    expect(page.locator("main")).to_contain_text("Basket.price")
    expect(page.locator("main")).to_contain_text("discount")
    page.locator("main").get_by_role("link", name="Basket.price").first.click()
    expect(page.locator("h1")).to_have_text("Basket.price")


@BOTH
def test_subscribe_change_the_file_scan_and_accept(
    served: Served, new_page: NewPage, java_script_enabled: bool
) -> None:
    page = new_page(java_script_enabled=java_script_enabled)
    page.goto(served.address("/entity/round_cents"))
    page.get_by_label("Tell me when it changes").fill("cents")
    page.get_by_role("button", name="Subscribe").click()
    expect(page.locator("h1")).to_have_text("cents")
    expect(page.locator("main")).to_contain_text("As accepted.")
    with edited(served.world, "shop/money.py", "1e-9", "1e-6"):
        page.get_by_role("button", name="Scan it").click()
        expect(page.locator(".finding")).to_contain_text("body changed in the worktree")
        expect(page.locator(".finding .added")).to_contain_text("return round(amount + 1e-6, 2)")
        page.get_by_role("button", name="Accept: round_cents").click()
        expect(page.locator("main")).to_contain_text("1 finding accepted")
        page.get_by_role("link", name="cents", exact=True).click()
        expect(page.locator("main")).to_contain_text("As accepted.")
        _delete(page)


def _delete(page: Page) -> None:
    page.get_by_role("link", name="Delete").click()
    expect(page.locator("h1")).to_have_text("Delete this subscription?")
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/subscriptions")
    expect(page.get_by_role("link", name="cents", exact=True)).to_have_count(0)


def test_a_page_is_up_to_date_after_an_edit(served: Served, new_page: NewPage) -> None:
    page = new_page()
    page.context.unroute("**/v1/events")
    page.goto(served.address("/entity/round_cents"))
    with edited(served.world, "shop/money.py", "1e-9", "1e-5"):
        expect(page.locator("#source")).to_contain_text("1e-5")
    expect(page.locator("#source")).to_contain_text("1e-9")
