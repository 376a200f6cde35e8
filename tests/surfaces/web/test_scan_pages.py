"""Pages of scans: what was found, and what is accepted, snoozed and dismissed there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from web_pages import links_in, send_form, shown, site_of, text_of

from asgi import Client
from birthmark.app.scans.stored_scans import list_messages
from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.workspace.workspace import find_workspace
from birthmark.vocabulary import DeliveryState
from scanning import current, do, make, post_message, scan, subscribe
from worlds import World

SHOP = """\
def tax(amount):
    return amount * 2


def total(items):
    return sum(items)
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = make(tmp_path, {"shop.py": SHOP, "other.py": "def other():\n    return 1\n"})
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def page_of(browser: Client, location: str) -> str:
    path, _, query = location.partition("#")[0].partition("?")
    return shown(browser.send("GET", path, query=query))


def test_scan_now_leads_to_the_report_and_sends_nothing(world: World, browser: Client) -> None:
    subscribe(world, "tax", label="<b>taxes</b>")
    subscribe(world, "total")
    world.replace("shop.py", "* 2", "* 3")
    reply = send_form(browser, "/scans")
    assert (reply.status, reply.headers["location"]) == (303, "/scans/1")
    html = page_of(browser, "/scans/1")
    text = text_of(html)
    assert "the worktree compared with what was accepted" in text
    assert "triggered 1 moved 0 ambiguous 0 unchanged 1" in text
    assert "<b>taxes</b> CONTENT tax body changed in the worktree, not committed" in text
    assert "- return amount * 2 + return amount * 3" in text
    assert "def tax(amount)" not in text
    assert "<b>" not in html
    assert list_messages(world.root) == []


def test_the_commits_that_did_it_are_named(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    world.replace("shop.py", "* 2", "* 3")
    commit = world.commit()
    scan(world)
    assert f"/diff?base={commit}%5E&target={commit}" in links_in(page_of(browser, "/scans/1"))


def test_a_finding_is_accepted_once(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    world.replace("shop.py", "* 2", "* 3")
    scan(world)
    first, second = (send_form(browser, "/scans/1/accept", ids=subscription.id) for _ in range(2))
    assert (first.headers["location"], second.headers["location"]) == ("/scans/1?accepted=1", "/scans/1?accepted=0")
    text = text_of(page_of(browser, first.headers["location"]))
    assert "1 finding accepted" in text
    assert "Not open: it is accepted already" in text
    assert "Dismiss" not in text
    assert scan(world).findings == ()


def test_all_findings_are_accepted(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    subscribe(world, "other")
    world.replace("shop.py", "* 2", "* 3")
    world.move("other.py", "another.py")
    scan(world)
    text = text_of(page_of(browser, "/scans/1"))
    assert "Accept all" in text
    assert "moved with its file to another.py" in text
    assert send_form(browser, "/scans/1/accept").headers["location"] == "/scans/1?accepted=2"
    assert scan(world).findings == ()


def test_what_was_changed_since_is_not_accepted(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    world.replace("shop.py", "* 2", "* 3")
    scan(world)
    world.replace("shop.py", "* 3", "* 4")
    send_form(browser, "/scans/1/accept", ids=subscription.id)
    assert current(world, subscription) == subscription
    assert "its file was changed since the scan; scan again" in text_of(page_of(browser, "/scans/1"))


def test_a_finding_is_snoozed_or_dismissed(world: World, browser: Client) -> None:
    tax, total = subscribe(world, "tax"), subscribe(world, "total")
    world.write("shop.py", SHOP.replace("* 2", "* 3").replace("sum(items)", "max(items)"))
    scan(world)
    snoozed = send_form(browser, f"/subscriptions/{tax.id}/snooze", until="1d", scan="1")
    dismissed = send_form(browser, f"/subscriptions/{total.id}/acknowledge", scan="1")
    assert (snoozed.headers["location"], dismissed.headers["location"]) == (
        f"/scans/1#{tax.id}",
        f"/scans/1#{total.id}",
    )
    text = text_of(page_of(browser, "/scans/1"))
    assert "snoozed until" in text
    assert "acknowledged" in text
    assert not [found for found in scan(world).findings if found.muted is None]
    assert "snoozed 1" in text_of(page_of(browser, "/scans/2"))


def test_what_may_be_its_successor_can_be_subscribed_to(tmp_path: Path) -> None:
    body = "def pay(cart):\n    amount = cart.total()\n    cart.bill(amount)\n    return amount\n"
    world = make(tmp_path, {"a.py": body})
    world.index()
    subscribe(world, "a.py::pay", label="paying")
    world.remove("a.py")
    world.write("b.py", body)
    world.write("c.py", body)
    scan(world)
    browser = site_of(tmp_path)
    html = page_of(browser, "/scans/1")
    text = text_of(html)
    assert "ambiguous 1" in text
    assert "Subscribe to this one" in text
    fields = dict(re.findall(r'name="(ref|label|entity)" value="([^"]*)"', html))
    assert fields == {"ref": "c.py:1", "label": "paying", "entity": "true"}
    send_form(browser, "/subscriptions", **fields)
    stored = [one.subscription for one in list_subscriptions(find_workspace(world.root))]
    assert {(one.accepted.path, str(one.target)) for one in stored} == {("a.py", "entity"), ("c.py", "entity")}


def test_links_in_documents_are_checked(world: World, browser: Client) -> None:
    world.write(
        "guide.md", "Taxes double.\n<!-- birthmark: shop.py::tax -->\n\nTotals.\n<!-- birthmark: other.py::other -->\n"
    )
    world.commit()
    world.replace("shop.py", "* 2", "* 3")
    reply = send_form(browser, "/scans", docs="true")
    text = text_of(shown(reply))  # Without subscriptions nothing is stored.
    assert "Documents to be checked" in text
    assert "shop.py::tax has changed" in text
    assert "1 other link as described" in text


def test_a_scan_of_one_subscription(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    subscribe(world, "total")
    world.write("shop.py", SHOP.replace("* 2", "* 3").replace("sum(items)", "max(items)"))
    send_form(browser, "/scans", ids=subscription.id)
    assert "triggered 1" in text_of(page_of(browser, "/scans/1"))


def test_a_report_about_a_deleted_subscription_is_shown(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    world.replace("shop.py", "* 2", "* 3")
    scan(world)
    do(world, "delete", subscription)
    html = page_of(browser, "/scans/1")
    assert "the subscription was deleted" in text_of(html)
    assert f"/subscriptions/{subscription.id}" not in links_in(html)


def test_members_that_changed_have_their_lines(tmp_path: Path) -> None:
    world = make(tmp_path, {"cart.py": "class Cart:\n    def add(self):\n        return 1\n"})
    world.index()
    subscribe(world, "Cart", include_members=True)
    world.replace("cart.py", "return 1", "return 2")
    scan(world)
    assert "changed: Cart.add cart.py:2-3 - return 1 + return 2" in text_of(page_of(site_of(tmp_path), "/scans/1"))


def test_stored_scans_are_listed(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    for _ in range(3):
        scan(world)
    assert {f"/scans/{number}" for number in (1, 2, 3)} <= links_in(page_of(browser, "/scans"))
    assert "there is no scan 9" in text_of(shown(browser.get("/scans/9"), 404))
    assert "must be a number" in text_of(shown(browser.get("/scans/nine"), 400))


def test_forms_of_scans_need_their_token(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    world.replace("shop.py", "* 2", "* 3")
    assert send_form(browser, "/scans", "wrong").status == 403
    scan(world)
    assert send_form(browser, "/scans/1/accept", "wrong").status == 403
    assert current(world, subscription) == subscription
    assert browser.get("/v1/scans").document["items"][0]["scan"] == 1


# Deliveries


def test_messages_are_listed_by_their_state(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    post_message(world.root, "msg_waiting")
    post_message(world.root, "msg_sent", state=DeliveryState.DELIVERED)
    post_message(world.root, "msg_failed", state=DeliveryState.DEAD, attempts=9, error="<b>410</b>")
    html = page_of(browser, "/deliveries")
    assert "<b>" not in html
    for words in ("msg_waiting chat Scan 1", "waiting", "sent", "failed for good 9: <b>410</b> Send again"):
        assert words in text_of(html)
    dead = text_of(page_of(browser, "/deliveries?state=dead"))
    assert "msg_failed" in dead
    assert "msg_sent" not in dead
    assert "1 message could not be delivered" in text_of(shown(browser.get("/subscriptions")))


def test_a_message_is_sent_again_by_a_form(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    post_message(world.root, "msg_failed", state=DeliveryState.DEAD, attempts=9)
    assert send_form(browser, "/deliveries/msg_failed/retry", "wrong").status == 403
    for _ in range(2):
        assert send_form(browser, "/deliveries/msg_failed/retry").headers["location"] == "/deliveries#msg_failed"
        assert [message.state for message in list_messages(world.root)] == [DeliveryState.PENDING]
    assert "there is no such message" in text_of(shown(send_form(browser, "/deliveries/msg_none/retry"), 404))


def test_thousands_of_messages_are_listed_a_page_at_a_time(world: World, browser: Client) -> None:
    subscribe(world, "tax")
    for number in range(250):
        post_message(world.root, f"msg_{number:05}")
    first = page_of(browser, "/deliveries")
    assert "msg_00249" in first
    assert "/deliveries?offset=100" in links_in(first)
    assert "msg_00000" in page_of(browser, "/deliveries?offset=200")
