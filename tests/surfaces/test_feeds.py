"""Feeds are valid by RFC 4287, name a change once, and are open to those alone who have the key.

The rules of the RFC are written down here once more; nothing of what writes feeds is used to judge them.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from asgi import Client
from birthmark.app.scans.subscription_states import PastTrigger, SubscriptionFeed
from birthmark.surfaces.formats.atom import MOST_ENTRIES, write_feed
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.access.token import feed_address
from birthmark.surfaces.http.app import make_app
from birthmark.vocabulary import ChangeType
from reports import everything, explanation, finding, subscription, trigger
from running import birthmark, document
from worlds import World

ATOM = "{http://www.w3.org/2005/Atom}"
RFC_3339 = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
ABSOLUTE_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
FEED_CHILDREN = "author category contributor generator icon id link logo rights subtitle title updated entry".split()
ENTRY_CHILDREN = "author category content contributor id link published rights source summary title updated".split()
ONCE = {"id", "title", "updated"}
AT_MOST_ONCE = ONCE | set("generator icon logo rights subtitle content published source summary".split())
ROOT = Path("/src/shop")


def read_feed_by_the_rfc(body: bytes) -> tuple[ElementTree.Element, list[ElementTree.Element]]:
    """The feed and its entries; fails where section 4 of the RFC is not obeyed."""
    feed = ElementTree.fromstring(body)  # noqa: S314 - it is our own
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    _check_children(feed, FEED_CHILDREN)
    assert feed.find(f"{ATOM}author") is not None or all(one.find(f"{ATOM}author") is not None for one in entries)
    for author in feed.iter(f"{ATOM}author"):
        assert [child.tag for child in author].count(f"{ATOM}name") == 1
    for entry in entries:
        _check_children(entry, ENTRY_CHILDREN)
        content = entry.find(f"{ATOM}content")
        assert content is not None or entry.find(f"{ATOM}link[@rel='alternate']") is not None
        assert content is None or content.get("type", "text") in ("text", "html", "xhtml")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)
    return feed, entries


def _check_children(element: ElementTree.Element, allowed: list[str]) -> None:
    counts = Counter(child.tag for child in element)
    assert counts.keys() <= {ATOM + name for name in allowed}
    assert all(counts[ATOM + name] == 1 for name in ONCE)
    assert all(counts[ATOM + name] <= 1 for name in AT_MOST_ONCE)
    assert ABSOLUTE_IRI.fullmatch(element.findtext(f"{ATOM}id", ""))
    for name in ("updated", "published"):
        assert all(RFC_3339.fullmatch(date.text or "") for date in element.findall(ATOM + name))
    assert all(category.get("term") for category in element.findall(f"{ATOM}category"))


class Tags(HTMLParser):
    """The tags of a text in HTML, and what it says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.text = set[str](), ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def past(scan: int, found: object = None) -> PastTrigger:
    return PastTrigger(scan, f"2026-11-{scan:02}T12:00:00Z", found or finding())  # type: ignore[arg-type]


def test_a_feed_without_entries_is_valid_and_the_same_for_ever() -> None:
    empty = SubscriptionFeed(ROOT, None, ())
    feed, entries = read_feed_by_the_rfc(write_feed(empty))
    assert entries == []
    assert write_feed(empty) == write_feed(empty)
    one = SubscriptionFeed(ROOT, subscription(created_at="2026-01-02T03:04:05Z"), ())
    assert read_feed_by_the_rfc(write_feed(one))[0].findtext(f"{ATOM}updated") == "2026-01-02T03:04:05Z"
    assert feed.findtext(f"{ATOM}title") == "birthmark, shop: all subscriptions"


def test_every_sort_of_finding_is_an_entry() -> None:
    found = [one for one in everything().findings if one.trigger and not one.muted]
    _, entries = read_feed_by_the_rfc(write_feed(SubscriptionFeed(ROOT, None, tuple(past(1, one) for one in found))))
    assert len(entries) == len(found) == 3
    words = [Tags(entry.findtext(f"{ATOM}content", "")) for entry in entries]
    assert any("+def total(self, tax):" in one.text for one in words)
    assert set.union(*(one.tags for one in words)) == {"p", "code", "pre"}


def test_a_change_that_is_reported_again_is_one_entry_of_its_first_scan() -> None:
    """What is accepted in between, and changes again, is another one."""
    again = finding(subscription=subscription(updated_at="2026-11-03T00:00:00Z"))
    before = write_feed(SubscriptionFeed(ROOT, None, (past(1),)))
    after = write_feed(SubscriptionFeed(ROOT, None, (past(4, again), past(2), past(1))))
    (first,), (newest, same) = read_feed_by_the_rfc(before)[1], read_feed_by_the_rfc(after)[1]
    assert ElementTree.tostring(first) == ElementTree.tostring(same)
    assert newest.findtext(f"{ATOM}updated") == "2026-11-04T12:00:00Z"
    other = finding(ChangeType.CONTENT, trigger=trigger(change=ChangeType.CONTENT, reasons=("body_changed",)))
    assert len(read_feed_by_the_rfc(write_feed(SubscriptionFeed(ROOT, None, (past(2, other), past(1)))))[1]) == 2


def test_a_feed_has_a_most_of_entries() -> None:
    many = tuple(past(1, finding(subscription=subscription(f"sub-{number:010}"))) for number in range(300))
    assert len(read_feed_by_the_rfc(write_feed(SubscriptionFeed(ROOT, None, many)))[1]) == MOST_ENTRIES


@given(st.text(max_size=60) | st.sampled_from(["]]>", "<script>", "\ufffe\uffff", "\0\x1b", "\ud800", "&#0;", "&amp;"]))
def test_hostile_names_are_text(name: str) -> None:
    changed = replace(trigger(), explanation=explanation(f"+{name}"))
    found = finding(subscription=subscription(label=name, description=name, ref=name), trigger=changed)
    body = write_feed(SubscriptionFeed(Path("/") / name.replace("\0", ""), found.subscription, (past(1, found),)))
    _, (entry,) = read_feed_by_the_rfc(body)
    assert Tags(entry.findtext(f"{ATOM}content", "")).tags <= {"p", "code", "pre"}


# Commands and HTTP

TOKEN = b"t" * 43
HOST = ("Host", "127.0.0.1:7433")


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": "def f(x):\n    return x\n", "b.py": "def g():\n    return 2\n"}, with_git=True)
    world.commit()
    return world


def subscribe_and_scan(world: World) -> str:
    id_ = str(document("subscribe", "a.py::f", cwd=world.root)["id"])
    document("subscribe", "b.py::g", cwd=world.root)
    world.replace("a.py", "return x", "return x + 1")
    world.replace("b.py", "2", "3")
    for _ in range(2):
        document("scan", cwd=world.root)
    return id_


def test_the_command_prints_what_the_server_answers(world: World) -> None:
    id_ = subscribe_and_scan(world)
    client = Client(make_app(world.root, TOKEN, Hosts.of(7433)), [HOST, ("Authorization", f"Bearer {TOKEN.decode()}")])
    for arguments, path, n_entries in (((), "/v1/feed", 2), ((id_,), f"/v1/subscriptions/{id_}/feed", 1)):
        printed = birthmark("subscriptions", "feed", *arguments, cwd=world.root)
        reply = client.get(path)
        assert (reply.status, reply.headers["content-type"]) == (200, "application/atom+xml")
        assert reply.body.decode() == printed.stdout
        assert len(read_feed_by_the_rfc(reply.body)[1]) == n_entries
        etag = reply.headers["etag"]
        for known in (etag, f'"x", W/{etag}', "*"):
            again = client.send("GET", path, [*client.headers, ("If-None-Match", known)])
            assert (again.status, again.body, again.headers["etag"]) == (304, b"", etag)
        assert client.send("GET", path, [*client.headers, ("If-None-Match", '"x"')]).status == 200
    world.replace("a.py", "x + 1", "x + 2")
    document("scan", cwd=world.root)
    assert client.send("GET", "/v1/feed", [*client.headers, ("If-None-Match", etag)]).status == 200


def test_a_key_opens_its_feed_and_nothing_else(world: World) -> None:
    id_ = subscribe_and_scan(world)
    other = str(next(one for one in document("subscriptions", cwd=world.root) if one["id"] != id_)["id"])
    client = Client(make_app(world.root, TOKEN, Hosts.of(7433)), [HOST])
    own, all_ = feed_address(TOKEN, id_), feed_address(TOKEN)
    for address in (own, all_):
        path, _, query = address.partition("?")
        assert client.send("GET", path, query=query).status == 200
        assert client.send("HEAD", path, query=query).status == 200
        assert client.send("POST", path, query=query).status == 401
        assert client.send("GET", path).status == 401
        assert client.send("GET", path, query=f"{query}&{query}").status == 401
        assert client.send("GET", path, query=query[:-1]).status == 401
        assert client.send("GET", path, query="key=%ff%00").status == 401
        for elsewhere in ("/v1/status", "/v1/subscriptions", f"/v1/subscriptions/{id_}", "/v1/nowhere/feed"):
            assert client.send("GET", elsewhere, query=query).status == 401
    assert client.send("GET", f"/v1/subscriptions/{other}/feed", query=own.partition("?")[2]).status == 401
    assert client.send("GET", "/v1/feed", query=own.partition("?")[2]).status == 401
    assert feed_address(b"u" * 43, id_) != own


def test_the_command_prints_an_address_that_the_token_opens(world: World) -> None:
    id_ = subscribe_and_scan(world)
    printed = birthmark("subscriptions", "feed", id_[:8], "--address", "https://code.example/", cwd=world.root).stdout
    token = (world.root / ".birthmark/http-token").read_bytes().strip()
    assert printed == f"https://code.example{feed_address(token, id_)}\n"
    assert token.decode() not in printed


def test_a_feed_of_nothing_is_an_error(world: World) -> None:
    assert birthmark("subscriptions", "feed", "sub-zzzzzzzzzz", cwd=world.root).returncode == 2
    client = Client(make_app(world.root, TOKEN, Hosts.of(7433)), [HOST, ("Authorization", f"Bearer {TOKEN.decode()}")])
    assert client.get("/v1/subscriptions/sub-zzzzzzzzzz/feed").status == 404
    assert client.get("/v1/feed", nonsense=1).status == 400
