"""The sample shop, replayed, with notes and subscriptions, behind a `birthmark serve` of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, StorageState

from running import birthmark, document
from sample_shop import make_shop
from scanning import post_message
from worlds import World

_LINK = re.compile(r"open (http://\S+)")
_SUBSCRIPTIONS = (
    ("Basket.price", "--label", "what customers pay", "--at", "HEAD~1"),
    ("shop/basket.py::Basket.add", "--label", "how many items a basket takes"),
    ("shop/money.py:4-5", "--label", "rounding"),
    ("place_order", "--users", "--label", "who places orders"),
    ("shop/**::*", "--label", "the whole shop", "--at", "HEAD~5"),
)


class Served(NamedTuple):
    """A repository, the address of its pages, the link that signs in, and the id of a subscription."""

    world: World
    base: str
    link: str
    subscription: str

    def address(self, path: str) -> str:
        """With the id of the subscription put in."""
        return self.base + path.format(subscription=self.subscription)


def make_served_shop(root: Path) -> World:
    """With two notes, one of them stale, five subscriptions, a scan that some triggered, and messages in all states."""
    world = make_shop(root)
    _do(world, "index", "--from-history")
    world.git("config", "user.name", "Ada")
    with edited(world, "shop/money.py", "1e-9, 2)", "1e-9, 3)"):
        _do(world, "note", "round_cents", "Three digits:\nthe bank rounds again.")
    _do(world, "note", "Basket.price", "Rounds half up, as the tax office wants it.")
    for ref, *options in _SUBSCRIPTIONS:
        _do(world, "subscribe", ref, *options)
    _do(world, "scan", "--docs")
    post_message(root, "msg_aaaaaaaaaaaaaaaa")
    post_message(root, "msg_bbbbbbbbbbbbbbbb", state="delivered", attempts=1)
    post_message(root, "msg_cccccccccccccccc", state="dead", attempts=9, error="answered 410")
    return world


def _do(world: World, *arguments: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert result.returncode == 0, result


def subscription_of(world: World) -> str:
    """The id of the first one."""
    label = _SUBSCRIPTIONS[0][2]
    (found,) = (one["id"] for one in document("subscriptions", cwd=world.root) if one["label"] == label)
    return str(found)


@contextmanager
def serving(world: World, *options: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "birthmark", "serve", "--port", "0", *options]
    subscription = subscription_of(world)
    with subprocess.Popen(command, cwd=world.root, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            link = next(found[1] for line in server.stderr if (found := _LINK.search(line)))
            yield Served(world, link.partition("/sign-in")[0], link, subscription)
        finally:
            server.terminate()


def sign_in(browser: Browser, served: Served) -> StorageState:
    """The cookie that the printed link sets; the link is good once."""
    context = browser.new_context()
    context.new_page().goto(served.link, wait_until="commit")
    state = context.storage_state()
    context.close()
    return state


@contextmanager
def edited(world: World, path: str, old: str, new: str) -> Iterator[None]:
    """A file that is changed for a while."""
    before = world.read(path)
    world.replace(path, old, new)
    try:
        yield
    finally:
        world.write(path, before)
