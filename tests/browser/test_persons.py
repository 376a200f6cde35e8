"""Two persons in two browsers, at a server of many repositories: each has the rights of their own token."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from postgres_server import fresh_database
from served_fleets import SHOP, TOOLS, ServedFleet, wait_until

from birthmark.app.workspace.workspace import STORE, find_workspace
from birthmark.server.commands.token_commands import remove_token


def sign_in(chromium: Browser, base: str, token: str) -> Page:
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.goto(f"{base}/")
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()
    return page


def write_note(page: Page, address: str, text: str) -> None:
    page.goto(address)
    page.locator("#note").fill(text)
    page.locator("#note").locator("xpath=ancestor::form").get_by_role("button").click()


def is_signed_out(page: Page) -> bool:
    page.reload()
    return page.locator("h1").inner_text() == "Sign in"


def test_each_person_has_the_rights_of_their_token(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = fresh_database()
    monkeypatch.setenv(STORE, url)
    fleet = ServedFleet(tmp_path, url)
    reader = fleet.token_of("anna", repositories=("acme/shop",))
    writer = fleet.token_of("ben", writes=True, repositories=("acme/tools",))
    with fleet.serving() as base:
        anna, ben = (sign_in(chromium, base, token) for token in (reader, writer))
        expect(anna.locator("main li")).to_have_text(["acme/shop"])
        expect(ben.locator("main li")).to_have_text(["acme/tools"])
        anna.locator("main").get_by_role("link", name="acme/shop").click()
        expect(anna.locator("body")).to_contain_text("price")
        for page, other in ((anna, TOOLS), (ben, SHOP), (anna, "/repositories/acme%2Fnothing")):
            page.goto(f"{base}{other}/")
            expect(page.locator("main")).to_contain_text("is for other repositories")
        anna.goto(f"{base}{SHOP}/entity/price")
        expect(anna.locator("h1")).to_have_text("price")
        expect(anna.locator("main form[method=post]")).to_have_count(0)
        write_note(ben, f"{base}{TOOLS}/entity/saw", "Blunt.")
        expect(ben.locator(".note-text")).to_have_text("Blunt.")
        remove_token(find_workspace(fleet.folder), "ben")
        wait_until(lambda: is_signed_out(ben))
        anna.goto(f"{base}{SHOP}/entity/price")
        expect(anna.locator("h1")).to_have_text("price")
        expect(anna.locator(".note-text")).to_have_count(0)
        for page in (anna, ben):
            page.context.close()
