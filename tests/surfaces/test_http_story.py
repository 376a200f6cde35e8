"""A user story: a programmer points a tool of their own at the HTTP interface."""

from __future__ import annotations

from pathlib import Path

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import birthmark
from sample_shop import make_shop

TOKEN = "t" * 43
PLACES = ["shop/basket.py::Basket.total", "discount", "shop/basket.py:14", "Basket.prise"]


def client_of(root: Path) -> Client:
    app = make_app(root, TOKEN.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])


def test_a_programmer_keeps_a_review_tool_current(tmp_path: Path) -> None:
    """They send the places that old reviews name, show what became of each, and need no second question."""
    shop = make_shop(tmp_path / "shop")
    assert birthmark("index", "--from-history", cwd=shop.root).returncode == 0
    client = client_of(shop.root)

    answers = client.post("/v1/resolve", {"refs": PLACES}).document["results"]
    assert [answer["status"] for answer in answers] == ["present", "gone", "present", "unknown"]
    renamed, deleted, unchanged, misspelt = answers
    assert renamed["entity"]["qualified_name"] == "Basket.price"
    assert deleted["events"][-1]["change"] == "deleted"
    assert unchanged["entity"]["qualified_name"] == "Basket.add"
    assert "Basket.price" in misspelt["problem"]

    mark = renamed["entity"]["mark"]
    events = client.get("/v1/history", ref=mark, patch="true").document["events"]
    assert [event["subject"] for event in events] == [
        "Prices in the customer's currency",
        "Call a basket's total its price, as the guide does",
        "Baskets and money",
    ]
    assert events[0]["patch"]["hunks"][0]["lines"][0] == "-    def price(self):"

    shop.replace("shop/basket.py", "def price(", "def cost(")
    assert client.get("/v1/show", ref=mark).document["qualified_name"] == "Basket.cost"

    reply = client.get("/v1/show", ref="find")
    assert reply.status == 400
    assert len(reply.document["error"]["choices"]) == 2
