"""Pages of subscriptions: what they list and show, and what their forms do, sent once or twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from web_pages import links_in, send_form, shown, site_of, text_of

from asgi import Client, Reply
from birthmark.app.scans.subscription_repository import (
    StoredSubscription,
    SubscriptionRepository,
    list_subscriptions,
)
from birthmark.app.workspace.workspace import find_workspace
from birthmark.subscriptions.model import Subscription
from birthmark.vocabulary import DeliveryState, SubscriptionHome
from scanning import current, do, make, post_message, scan, subscribe
from worlds import World

HOSTILE = "<script>alert(1)</script>\"'&"
SHOP = """\
class Cart:
    def total(self):
        return sum(self.items)

    def add(self, item):
        self.items.append(item)


def tax(amount):
    return amount * 2
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = make(tmp_path, {"shop.py": SHOP})
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def sent_to(reply: Reply) -> str:
    """Where a form leads."""
    assert reply.status == 303, reply.body.decode()
    return reply.headers["location"]


def only(world: World) -> Subscription:
    (stored,) = list_subscriptions(find_workspace(world.root))
    return stored.subscription


# The list


def test_a_repository_without_subscriptions_has_a_form(browser: Client) -> None:
    html = shown(browser.get("/subscriptions"))
    assert "There are none yet" in text_of(html)
    assert 'name="ref"' in html
    assert "None yet" in text_of(shown(browser.get("/subscriptions")))


def test_an_empty_repository_has_the_same_page(tmp_path: Path) -> None:
    make(tmp_path, {})
    assert "There are none yet" in text_of(shown(site_of(tmp_path).get("/subscriptions")))
    assert "There are none" in text_of(shown(site_of(tmp_path).get("/scans")))
    assert "There are none" in text_of(shown(site_of(tmp_path).get("/deliveries")))


def test_each_subscription_is_listed_with_its_state(world: World, browser: Client) -> None:
    first = subscribe(world, "Cart.total", label="what customers pay")
    do(world, "deactivate", subscribe(world, "Cart.add"))
    do(world, "snooze", subscribe(world, "shop.py:9-10"), "2099-12-31")
    subscribe(world, "shop.py::*", team=True)
    subscribe(world, "tax", users=True)
    html = shown(browser.get("/subscriptions"))
    text = text_of(html)
    for words in ("what customers pay Cart.total shop.py:2-3 active personal", "inactive", "snoozed until 2099-12-31"):
        assert words in text
    assert "shop.py::* any active team" in text
    assert "users of tax" in text
    assert {f"/subscriptions/{first.id}", f"/entity/{first.accepted.mark}", "/file/shop.py?line=9#L9"} <= links_in(html)


def test_the_last_trigger_is_that_of_the_last_scan_that_reported_it(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    assert text_of(shown(browser.get("/subscriptions"))).count("none") >= 1
    world.replace("shop.py", "* 2", "* 3")
    scan(world)
    scan(world)
    html = shown(browser.get("/subscriptions"))
    assert f"/scans/2#{subscription.id}" in links_in(html)
    assert "body changed" in text_of(html)


def test_many_subscriptions_are_listed_a_page_at_a_time(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    copies = [Subscription(id=f"sub-{n:010}", ref="tax", accepted=subscription.accepted) for n in range(2_000)]
    stored = [StoredSubscription(copy, SubscriptionHome.PERSONAL) for copy in copies]
    SubscriptionRepository(find_workspace(world.root)).put(stored)
    first = shown(browser.get("/subscriptions"))
    assert "/subscriptions?offset=100" in links_in(first)
    last = shown(browser.get("/subscriptions", offset=2_000))
    assert f"/subscriptions/{subscription.id}" in links_in(last)
    assert "/subscriptions?offset=1900" in links_in(last)


def test_texts_of_others_are_shown_as_text(world: World, browser: Client) -> None:
    world.write("<b>&.py", "def f():\n    return 1\n")
    subscription = subscribe(world, "<b>&.py::f", label=HOSTILE, description=HOSTILE * 20)
    for path in ("/subscriptions", f"/subscriptions/{subscription.id}", f"/subscriptions/{subscription.id}/delete"):
        html = shown(browser.get(path))
        assert "<script>alert" not in html
        assert "<b>" not in html
        assert HOSTILE in text_of(html)


# Making one


def test_a_form_with_ref_and_label_alone_subscribes_with_the_usual_options(world: World, browser: Client) -> None:
    location = sent_to(send_form(browser, "/subscriptions", ref="Cart.total", label="pay"))
    subscription = only(world)
    assert location == f"/subscriptions/{subscription.id}"
    assert (subscription.label, subscription.description) == ("pay", None)
    assert (subscription.include_inherited, subscription.track_decorators, subscription.cosmetic) == (True, True, False)


def test_boxes_that_are_not_checked_are_off(world: World, browser: Client) -> None:
    send_form(browser, "/subscriptions", ref="Cart", boxes="true", include_members="true", cosmetic="true", label="")
    subscription = only(world)
    assert (subscription.include_members, subscription.cosmetic, subscription.label) == (True, True, None)
    assert (subscription.include_inherited, subscription.track_decorators) == (False, False)


def test_a_form_that_is_sent_twice_makes_one(world: World, browser: Client) -> None:
    first, second = (sent_to(send_form(browser, "/subscriptions", ref="tax")) for _ in range(2))
    assert second == f"{first}?known=true"
    assert f"/subscriptions/{only(world).id}" == first
    path, _, query = second.partition("?")
    assert "There was a subscription to the same" in text_of(shown(browser.send("GET", path, query=query)))


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"ref": "no_such_name"}, 404, "no_such_name"),
        ({"ref": ""}, 400, "ref: is missing"),
        ({"ref": "shop.py::*", "boxes": "true", "users": "true"}, 400, "omit the option"),
        ({"ref": "tax", "cosmetic": "perhaps"}, 400, "cosmetic: must be true"),
        ({"ref": "tax", "other": "x"}, 400, "other: there is no such parameter"),
        ({"ref": "tax\0"}, 400, "ref: cannot be a name"),
    ],
)
def test_what_cannot_be_watched_is_said_on_a_page(
    world: World, browser: Client, fields: dict[str, str], status: int, words: str
) -> None:
    assert words in text_of(shown(send_form(browser, "/subscriptions", **fields), status))
    assert list_subscriptions(find_workspace(world.root)) == []


# One


def test_a_page_shows_what_was_accepted_and_what_it_is_now(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax", description="Told to the tax office.")
    page = f"/subscriptions/{subscription.id}"
    assert "As accepted." in text_of(shown(browser.get(page)))
    world.replace("shop.py", "* 2", "* 3")
    text = text_of(shown(browser.get(page)))
    assert "Told to the tax office." in text
    assert "body changed in the worktree" in text
    assert "- return amount * 2 + return amount * 3" in text
    assert "What was accepted" in text
    assert "def tax(amount): return amount * 2" in text.partition("What was accepted")[2]


def test_the_beginning_of_an_id_leads_to_its_page(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    assert sent_to(browser.get(f"/subscriptions/{subscription.id[4:10]}")) == f"/subscriptions/{subscription.id}"
    assert "there is no such subscription" in text_of(shown(browser.get("/subscriptions/sub-none"), 404))


def test_deliveries_of_its_triggers_are_listed(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    other = subscribe(world, "Cart.add")
    world.replace("shop.py", "* 2", "* 3")
    number = scan(world).scan
    assert number is not None
    post_message(world.root, "msg_of_it", number, DeliveryState.DEAD, error="answered 410")
    post_message(world.root, "msg_of_another", number + 1)
    text = text_of(shown(browser.get(f"/subscriptions/{subscription.id}")))
    assert "msg_of_it" in text
    assert "answered 410 Send again" in text
    assert "msg_of_another" not in text
    assert "No message was made of it" in text_of(shown(browser.get(f"/subscriptions/{other.id}")))


@pytest.mark.parametrize(
    ("ref", "words"), [("shop.py::*", "4 matches removed"), ("shop.py:9-10", "lines changed"), ("Cart", "deleted")]
)
def test_every_target_has_a_page(world: World, browser: Client, ref: str, words: str) -> None:
    subscription = subscribe(world, ref, include_members=ref == "Cart")
    assert "As accepted." in text_of(shown(browser.get(f"/subscriptions/{subscription.id}")))
    world.write("shop.py", "# Nothing is left.\n")
    assert words in text_of(shown(browser.get(f"/subscriptions/{subscription.id}")))


def test_options_are_changed(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax", label="old")
    page = f"/subscriptions/{subscription.id}"
    fields = {"boxes": "true", "label": "", "description": "why\r\nand how", "cosmetic": "true"}
    for _ in range(2):
        assert sent_to(send_form(browser, page, **fields)) == page
    changed = current(world, subscription)
    assert (changed.label, changed.description, changed.cosmetic) == (None, "why\nand how", True)
    assert not changed.include_inherited


# What is done with one


def test_buttons_change_the_state(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    page = f"/subscriptions/{subscription.id}"
    for action, state in (("deactivate", "inactive"), ("reactivate", "active"), ("snooze", "snoozed")):
        for _ in range(2):
            assert sent_to(send_form(browser, f"{page}/{action}")) == page
        assert state in text_of(shown(browser.get(page)))
    until = current(world, subscription).snoozed_until
    assert until is not None
    assert until[:10] == f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%d}"


def test_it_is_snoozed_until_a_date(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    send_form(browser, f"/subscriptions/{subscription.id}/snooze", until="2099-05-06")
    assert current(world, subscription).snoozed_until == "2099-05-06T00:00:00Z"
    refused = send_form(browser, f"/subscriptions/{subscription.id}/snooze", until="soon")
    assert "is no time" in text_of(shown(refused, 400))


def test_a_change_is_acknowledged(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    page = f"/subscriptions/{subscription.id}"
    refused = text_of(shown(send_form(browser, f"{page}/acknowledge"), 404))
    assert "there is no scan yet; run `birthmark scan` first" in refused
    world.replace("shop.py", "* 2", "* 3")
    scan(world)
    assert sent_to(send_form(browser, f"{page}/acknowledge")) == page
    assert "not reported: acknowledged" in text_of(shown(browser.get(page)))


def test_what_is_no_action_is_no_page(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax")
    reply = send_form(browser, f"/subscriptions/{subscription.id}/destroy")
    assert "must be acknowledge or snooze" in text_of(shown(reply, 400))


def test_it_is_deleted_after_a_confirmation(world: World, browser: Client) -> None:
    subscription = subscribe(world, "tax", team=True)
    page = f"/subscriptions/{subscription.id}/delete"
    assert "for all who have the repository" in text_of(shown(browser.get(page)))
    assert len(list_subscriptions(find_workspace(world.root))) == 1
    for _ in range(2):
        assert sent_to(send_form(browser, page)) == "/subscriptions"
    assert list_subscriptions(find_workspace(world.root)) == []


@pytest.mark.parametrize("path", ["", "/snooze", "/deactivate", "/delete"])
def test_every_form_needs_its_token(world: World, browser: Client, path: str) -> None:
    subscription = subscribe(world, "tax")
    assert send_form(browser, f"/subscriptions/{subscription.id}{path}", "wrong").status == 403
    assert current(world, subscription) == subscription
