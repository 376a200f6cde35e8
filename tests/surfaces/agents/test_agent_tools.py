"""Tools are made from questions, their answers from documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from mcp import Client
from msgspec import Meta

from agent_clients import call, fail, make_noted_shop, run
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.brief import brief_schema, merge_schemas, write_brief
from birthmark.documents.document import KEPT, Brief, Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument
from birthmark.questions.question import PagedQuestion
from birthmark.questions.table import QUESTIONS
from birthmark.surfaces.mcp import tools
from birthmark.surfaces.mcp.server import AgentServer
from birthmark.surfaces.mcp.tools import Tool
from birthmark.surfaces.workers import Workers
from worlds import World


class ToyDocument(Document, frozen=True):
    """A number."""

    number: int
    name: str | None


class ToyPage(PagedDocument, frozen=True):
    """Numbers."""

    items: list[ToyDocument]
    freshness: FreshnessDocument


class Toys(PagedQuestion, frozen=True, kw_only=True):
    """Count."""

    to: Annotated[int, Meta(ge=1, le=99, description="The last number.")]
    loud: bool = False

    def answer(self, session: Session) -> ToyPage:
        items, start = self.cut(ToyDocument(number, "LOUD" if self.loud else None) for number in range(self.to))
        return ToyPage(items, freshness_document(session.freshness), truncated=start is not None, next=start)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_noted_shop(tmp_path_factory.mktemp("tools") / "shop")


def test_a_question_of_the_table_is_a_tool_when_it_is_listed(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(QUESTIONS, "toys", Toys)
    monkeypatch.setattr(tools, "_TOOLS", (Tool("toys"),))

    async def work() -> None:
        async with Client(serve(shop.root).server) as client:
            toys, _notes = (await client.list_tools()).tools
            assert (toys.name, toys.description) == ("toys", "Count.")
            assert list(toys.input_schema["properties"]) == ["to", "loud", "tokens", "cursor"]
            assert toys.input_schema["properties"]["to"] == {"type": "integer", "description": "The last number."}
            assert toys.input_schema["required"] == ["to"]
            whole = await call(client, "toys", to=3, loud=True)
            assert whole["items"] == [{"number": number, "name": "LOUD"} for number in range(3)]
            assert whole["freshness"]["fresh"]
            page = await call(client, "toys", to=99, tokens=200)
            assert page["items"][0] == {"number": 0}
            rest = await call(client, "toys", to=99, tokens=10_000, cursor=page["next"])
            assert page["items"] + rest["items"] == [{"number": number} for number in range(99)]
            assert await fail(client, "toys", to=100) == "to: must be a number from 1 to 99"

    run(work)


def serve(root: Path) -> AgentServer:
    return AgentServer(SharedRepositories(root, max_age=0.0), Workers())


def test_an_argument_that_the_question_lacks_is_refused(shop: World) -> None:
    async def work() -> None:
        async with Client(serve(shop.root).server) as client:
            refused = await fail(client, "graph", ref="round_cents", question="tests", everywhere=True)
            assert refused == "everywhere: is for users, callers, callees, impact"

    run(work)


class _Inner(Document, frozen=True):
    name: Annotated[str, doc(brief=KEPT)]
    hidden: str = ""


class _Outer(Document, frozen=True):
    inner: Annotated[_Inner, doc(brief=Brief(is_flat=True))]
    count: Annotated[int, doc(brief=Brief("n", unless=1))]
    rows: Annotated[list[_Inner], doc(brief=Brief(number="at"))]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (_Outer(_Inner("a"), 1, []), {"name": "a"}),
        (_Outer(_Inner("a"), 2, [_Inner("b")]), {"name": "a", "n": 2, "rows": [{"name": "b"}]}),
        (ToyDocument(0, None), {"number": 0}),
    ],
)
def test_brief_documents_have_what_fields_declare(document: Document, expected: object) -> None:
    assert write_brief(document) == expected


def test_schemas_of_brief_documents() -> None:
    text, number = {"type": "string"}, {"type": "integer"}
    row = {"type": "object", "properties": {"name": text, "at": number}, "required": ["name"]}
    rows = {"type": "array", "items": row}
    outer = {"type": "object", "properties": {"name": text, "n": number, "rows": rows}, "required": ["name"]}
    toy = {"type": "object", "properties": {"number": number, "name": text}, "required": ["number"]}
    either = {"type": "object", "properties": {"number": number, "name": text, "n": number, "rows": rows}}
    assert brief_schema(_Outer) == outer
    assert brief_schema(ToyDocument) == toy
    assert merge_schemas([outer, toy]) == either
