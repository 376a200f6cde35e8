"""Answers keep to their budget, and all pages together are the whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from agent_clients import call, fail, make_noted_shop, run, text_of
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import NotePage
from birthmark.documents.document import encode_line
from birthmark.queries.context import estimate_tokens
from birthmark.questions.notes import Notes
from birthmark.surfaces.mcp.budget import cut_answer, parts_of
from birthmark.surfaces.mcp.server import AgentServer
from birthmark.surfaces.mcp.tools import Tool
from birthmark.surfaces.workers import Workers
from worlds import World

HEAD = {
    "freshness": {"fresh": True},
    "entity": {"mark": "bm-0", "name": "f", "kind": "fn", "place": "a.py:1"},
    "status": "present",
}
NOTES = st.lists(st.fixed_dictionaries({"id": st.just("n"), "text": st.text()}), max_size=8)
WHOLE = 100_000


@given(NOTES, st.text(max_size=2_000), st.integers(1, 500))
def test_pages_together_are_the_whole(notes: list[dict[str, str]], source: str, budget: int) -> None:
    parts = parts_of([*(("notes", note) for note in notes), ("source", source)])
    cursor: int | None = 0
    found_notes: list[dict[str, str]] = []
    found_source = ""
    while cursor is not None:
        page = cut_answer(HEAD, parts[cursor:], cursor, budget)
        following = page.get("next")
        n_parts = (len(parts) if following is None else following) - cursor
        assert n_parts <= 1 or estimate_tokens(encode_line(page).decode()) <= budget
        assert following is None or following > cursor
        found_notes += page.get("notes", [])
        found_source += page.get("source", "")
        cursor = following
    assert (found_notes, found_source) == (notes, source)


@given(st.text(max_size=3_000))
def test_no_piece_of_a_text_is_long(source: str) -> None:
    assert all(len(piece) <= 200 for _, piece in parts_of([("source", source)]))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_noted_shop(tmp_path_factory.mktemp("budget") / "shop")


def serve(root: Path) -> AgentServer:
    return AgentServer(SharedRepositories(root, max_age=0.0), Workers())


@pytest.mark.parametrize(
    ("tool", "arguments", "lists"),
    [
        ("search", {"text": "a"}, ["results"]),
        ("show", {"ref": "Basket"}, ["notes", "source"]),
        ("resolve", {"ref": "Basket.price"}, ["events"]),
        ("history", {"ref": "Basket"}, ["events"]),
        ("diff", {"base": "HEAD~8..HEAD"}, ["changes"]),
        ("graph", {"ref": "round_cents", "question": "users"}, ["results"]),
        ("graph", {"ref": "round_cents", "question": "impact"}, ["results"]),
        ("graph", {"ref": "round_cents", "question": "tests"}, ["results"]),
        ("graph", {"ref": "Order.pay", "question": "callees"}, ["results"]),
        ("notes", {}, ["notes"]),
    ],
)
def test_pages_of_tools_are_the_whole(shop: World, tool: str, arguments: dict[str, Any], lists: list[str]) -> None:
    async def work() -> None:
        async with Client(serve(shop.root).server) as client:
            whole = await call(client, tool, **arguments, tokens=WHOLE)
            assert "next" not in whole
            pages = await read_pages(client, tool, arguments, 300)
            for name in lists:
                assert join(pages, name) == join([whole], name)
            if any(whole.get(name) for name in lists[:1]) and len(str(whole)) > 3_000:
                assert len(pages) > 1

    run(work)


def test_every_piece_of_a_context_is_given_once(shop: World) -> None:
    async def work() -> None:
        async with Client(serve(shop.root).server) as client:
            whole = await call(client, "context", ref="Basket.price", tokens=WHOLE)
            pages = await read_pages(client, "context", {"ref": "Basket.price"}, 500)
            assert len(pages) > 1
            assert list(map(first_line, join(pages, "pieces"))) == list(map(first_line, whole["pieces"]))

    run(work)


def first_line(piece: dict[str, str]) -> tuple[str, str]:
    """A piece may be shorter on a small page; its first line says what it is."""
    return piece["part"], piece["text"].partition("\n")[0]


async def read_pages(client: Client, tool: str, arguments: dict[str, Any], tokens: int) -> list[Any]:
    pages: list[Any] = []
    cursor: int | None = 0
    while cursor is not None:
        result = await client.call_tool(tool, arguments | {"tokens": tokens, "cursor": cursor})
        assert not result.is_error, text_of(result)
        page: Any = result.structured_content
        n_parts = page.get("next", cursor + 2) - cursor
        assert n_parts == 1 or estimate_tokens(text_of(result)) <= tokens
        cursor = page.get("next")
        pages.append(page)
    return pages


def join(pages: list[Any], name: str) -> Any:
    values = [page[name] for page in pages if name in page]
    return "".join(values) if name == "source" else [one for value in values for one in value]


def test_an_agent_is_advised_to_ask_again(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    server = AgentServer(SharedRepositories(shop.root, max_age=0.0), Workers(seconds=0.01))

    class SlowNotes(Notes, frozen=True, kw_only=True):
        def answer(self, session: Session) -> NotePage:
            sleep(0.5)
            return super().answer(session)

    monkeypatch.setitem(server.tools, "notes", Tool("notes", question=SlowNotes))

    async def work() -> str:
        async with Client(server.server) as client:
            return await fail(client, "notes")

    assert run(work).endswith("ask again in a minute")


def test_a_cursor_behind_the_end_gives_nothing_more(shop: World) -> None:
    async def work() -> None:
        async with Client(serve(shop.root).server) as client:
            ask = partial(call, client, cursor=10_000)
            assert "results" not in await ask("search", text="price")
            assert "source" not in await ask("show", ref="Basket")
            assert "events" not in await ask("history", ref="Basket")

    run(work)
