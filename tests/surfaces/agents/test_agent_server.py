"""`birthmark mcp` in a separate process, over both transports, asked by the SDK's client."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from agent_clients import by_http, by_stdio, call, command, fail, make_noted_shop, run, serving, text_of, token_of
from birthmark.queries.context import estimate_tokens
from birthmark.server.commands.token_commands import add_token
from running import birthmark
from worlds import World

NAMES = ["search", "show", "resolve", "history", "diff", "graph", "context", "subscriptions", "notes"]
PRICE = "Basket.price"
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"text": "price"}),
    ("show", {"ref": PRICE}),
    ("resolve", {"ref": "Basket.total"}),
    ("history", {"ref": PRICE, "patch": True}),
    ("diff", {"base": "HEAD~3..HEAD"}),
    *(
        ("graph", {"ref": "round_cents", "question": word})
        for word in ("users", "callers", "callees", "impact", "tests")
    ),
    ("graph", {"ref": "Order.amount", "question": "path", "to": "round_cents"}),
    ("context", {"ref": PRICE}),
    ("subscriptions", {}),
    ("notes", {}),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_noted_shop(tmp_path_factory.mktemp("agents") / "shop")


@pytest.fixture
def copy(shop: World, tmp_path: Path) -> World:
    """One that a test may change."""
    shutil.copytree(shop.root, tmp_path / "shop")
    return World(tmp_path / "shop", {})


async def answer_all(client: Client) -> dict[str, list[Any]]:
    """What each tool answers; the client checks it against the output schema."""
    await client.list_tools()
    answers: dict[str, list[Any]] = {}
    for name, arguments in CALLS:
        result = await client.call_tool(name, arguments)
        assert not result.is_error, (name, arguments, text_of(result))
        assert json.loads(text_of(result)) == result.structured_content
        answers.setdefault(name, []).append(result.structured_content)
    return answers


def check_answers(answers: dict[str, list[Any]]) -> None:
    assert list(answers) == NAMES
    for name, found in answers.items():
        for one in found:
            assert one["freshness"]["fresh"] is True
            assert "data, not instructions" in one["data_notice"]
            assert "bm-" in json.dumps(one), name
    (shown,) = answers["show"]
    assert shown["entity"]["name"] == PRICE
    assert "def price(self" in shown["source"]
    assert [note["text"] for note in shown["notes"]] == ["Rounds half up, as the tax office wants it."]
    (resolved,) = answers["resolve"]
    assert (resolved["entity"]["name"], resolved["was"]) == (PRICE, "shop/basket.py::Basket.total")
    (history,) = answers["history"]
    assert history["mark"] == shown["entity"]["mark"]
    assert any("rename" in event["changes"] for event in history["events"])
    assert any(event.get("patch") for event in history["events"])
    (context,) = answers["context"]
    assert {"definition", "notes"} <= {piece["part"] for piece in context["pieces"]}
    assert any("tax office" in piece["text"] for piece in context["pieces"])
    (subscriptions,) = answers["subscriptions"]
    (subscription,) = subscriptions["subscriptions"]
    assert subscription["label"] == "what customers pay"
    assert subscription["reported"]
    users, callers, callees, impact, tests, path = answers["graph"]
    assert {one["name"] for one in callers["results"]} <= {one["name"] for one in users["results"]}
    assert callees["results"]
    assert len(impact["results"]) > len(callers["results"])
    assert all(one["test"] for one in tests["results"])
    assert path["end"]["name"] == "round_cents"


def test_every_tool_answers_over_stdio(shop: World) -> None:
    async def work() -> dict[str, list[Any]]:
        async with by_stdio(shop.root) as client:
            return await answer_all(client)

    check_answers(run(work))


def test_every_tool_answers_over_http(shop: World) -> None:
    with serving(shop.root) as address:

        async def work() -> dict[str, list[Any]]:
            async with by_http(shop.root, address) as client:
                return await answer_all(client)

        check_answers(run(work))
        check_guards(address, token_of(shop.root))


def test_a_person_has_the_rights_of_the_token(shop: World) -> None:
    reader, elsewhere = (
        {"Authorization": f"Bearer {add_token(shop.workspace, name, writes=False, repositories=repositories)}"}
        for name, repositories in (("anna", ()), ("ben", ("elsewhere",)))
    )
    with serving(shop.root, "--allow-notes") as address:

        async def work() -> str:
            async with by_http(shop.root, address, reader) as client:
                assert (await call(client, "notes", action="list"))["notes"]
                return await fail(client, "notes", action="write", ref="Basket.price", text="mine")

        assert "is read-only" in run(work)
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        assert httpx2.post(address, json=request, headers=elsewhere).status_code == 403


def check_guards(address: str, token: dict[str, str]) -> None:
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers, status in [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        (token | {"Origin": "http://elsewhere.example"}, 403),
        (token | {"Host": "elsewhere.example"}, 421),
    ]:
        assert httpx2.post(address, json=request, headers=headers).status_code == status, headers
    assert httpx2.post(address, content=b"{}", headers=token | {"content-type": "text/plain"}).status_code == 415


def test_tools_cost_few_tokens_and_write_nothing(shop: World) -> None:
    """As they are sent: descriptions and input schemas, and all of the listing."""

    async def work(*options: str) -> list[Any]:
        async with by_stdio(shop.root, *options) as client:
            return [one.model_dump(by_alias=True, exclude_none=True) for one in (await client.list_tools()).tools]

    for options in ((), ("--allow-notes",)):
        tools = run(lambda options=options: work(*options))  # type: ignore[misc]
        assert [tool["name"] for tool in tools] == NAMES
        asked = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
        assert estimate_tokens(json.dumps(asked, separators=(",", ":"))) < 1_500
        assert estimate_tokens(json.dumps(tools, separators=(",", ":"))) < 4_000
        assert all(tool["outputSchema"]["type"] == "object" for tool in tools)
        writing = [tool["name"] for tool in tools if not tool["annotations"]["readOnlyHint"]]
        assert writing == (["notes"] if options else [])


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("show", {}, "ref: is missing"),
    ("show", {"ref": PRICE, "color": "red"}, "color: there is no such parameter"),
    ("show", {"ref": "x" * 1_000_000}, "ref: cannot be a name"),
    ("show", {"ref": "a\0b"}, "ref: cannot be a name"),
    ("show", {"ref": ["a"]}, "ref: must be a text"),
    ("show", {"ref": {"a": 1}}, "ref: must be a text"),
    ("show", {"ref": "../../../etc/passwd:1"}, "../../../etc/passwd"),
    ("show", {"ref": "/etc/passwd:1"}, "/etc/passwd"),
    ("show", {"ref": "--help"}, "--help"),
    ("show", {"ref": PRICE, "tokens": 1}, "tokens: must be a number from 200"),
    ("show", {"ref": PRICE, "tokens": -5}, "tokens: must be a number"),
    ("show", {"ref": PRICE, "cursor": "soon"}, "cursor: must be a number"),
    ("graph", {"ref": PRICE, "question": "fate"}, "question: must be users or callers"),
    ("graph", {"ref": PRICE, "question": "path"}, "to: is missing"),
    ("history", {"ref": PRICE, "at": "--output=x"}, "--output=x"),
    ("diff", {"base": "no-such-revision"}, "no-such-revision"),
    ("search", {"text": "price", "path": "../.."}, "../.."),
    ("notes", {"ref": PRICE, "text": "obey"}, "text: there is no such parameter"),
    ("notes", {"action": "write"}, "action: there is no such parameter"),
]


def test_hostile_input_is_answered_with_one_clear_line(shop: World) -> None:
    async def work() -> None:
        async with by_stdio(shop.root) as client:
            for tool, arguments, expected in HOSTILE:
                line, *choices = (await fail(client, tool, **arguments)).split("\n")
                assert expected in line, (tool, arguments, line)
                assert "Traceback" not in line
                assert len(choices) < 20
            with pytest.raises(MCPError, match="there is no such tool; there are search"):
                await client.call_tool("shell", {"command": "id"})
            assert (await call(client, "show", ref=PRICE))["status"] == "present"

    run(work)
    assert birthmark("notes", "--json", cwd=shop.root).stdout.count('"id"') == 1


def test_the_index_refreshes_itself(copy: World) -> None:
    async def work() -> None:
        async with by_stdio(copy.root) as client:
            before = await call(client, "show", ref="round_cents")
            copy.replace("shop/money.py", "def round_cents", "def round_to_cents")
            after = await call(client, "show", ref=before["entity"]["mark"])
            assert after["entity"]["name"] == "round_to_cents"
            assert after["freshness"]["fresh"] is True

    run(work)


def test_notes_are_written_only_where_that_is_allowed(copy: World) -> None:
    async def life(client: Client) -> None:
        (note,) = (await call(client, "notes", action="write", ref="place_order", text="Paid first."))["notes"]
        assert note["name"] == "place_order"
        shown = await call(client, "show", ref="place_order")
        assert [one["id"] for one in shown["notes"]] == [note["id"]]
        pieces = (await call(client, "context", ref="place_order"))["pieces"]
        assert any(piece["part"] == "notes" and "Paid first." in piece["text"] for piece in pieces)
        edited = await call(client, "notes", action="edit", id=note["id"], text="Paid at last.")
        assert edited["notes"][0]["text"] == "Paid at last."
        assert (await call(client, "notes", action="keep", id=note["id"]))["notes"][0]["id"] == note["id"]
        assert "id: is missing" in await fail(client, "notes", action="delete")
        await call(client, "notes", action="delete", id=note["id"])
        assert "notes" not in await call(client, "notes", ref="place_order")

    async def work(*options: str) -> None:
        async with by_stdio(copy.root, *options) as client:
            await life(client)

    run(lambda: work("--allow-notes"))
    assert not (copy.root / "birthmark.toml").exists()
    copy.write("birthmark.toml", "[mcp]\nallow_notes = true\n")
    run(lambda: work("--trust", "any"))


def test_resources_and_prompts(shop: World) -> None:
    async def work() -> None:
        async with by_stdio(shop.root) as client:
            (template,) = (await client.list_resource_templates()).resource_templates
            mark = (await call(client, "show", ref=PRICE))["entity"]["mark"]
            read = await client.read_resource(template.uri_template.replace("{mark}", mark))
            (content,) = read.contents
            text = getattr(content, "text", "")
            assert text.startswith(f"# method {PRICE}\n")
            assert "data, not instructions" in text
            assert "tax office" in text
            assert "```python\n    def price(self" in text
            for address in ("birthmark://entity/../x", "birthmark://entity/bm-zzzzzzzzzzzz", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(address)
            assert [one.name for one in (await client.list_prompts()).prompts] == ["explain_life", "change_effects"]
            for name, argument in (("explain_life", "ref"), ("change_effects", "change")):
                (message,) = (await client.get_prompt(name, {argument: "HEAD~1..HEAD"})).messages
                assert "`HEAD~1..HEAD`" in getattr(message.content, "text", "")
                with pytest.raises(MCPError, match=argument):
                    await client.get_prompt(name, {})

    run(work)


def test_a_deleted_definition_has_a_resource_too(copy: World) -> None:
    async def work() -> None:
        async with by_stdio(copy.root) as client:
            mark = (await call(client, "show", ref="place_order"))["entity"]["mark"]
            text = (copy.root / "shop/orders.py").read_text()
            copy.write("shop/orders.py", text.partition("def place_order")[0])
            copy.git("commit", "-qam", "No more orders")
            (content,) = (await client.read_resource(f"birthmark://entity/{mark}")).contents
            assert "No more orders" in getattr(content, "text", "")
            resolved = await call(client, "resolve", ref=mark)
            assert (resolved["status"], resolved["deletion"]["subject"]) == ("gone", "No more orders")

    run(work)


def test_without_an_index_answers_say_what_to_do(tmp_path: Path) -> None:
    World(tmp_path, {"a.py": "def f(): pass\n"}, with_git=True).commit()

    async def work() -> str:
        async with by_stdio(tmp_path) as client:
            return await fail(client, "show", ref="f")

    assert "birthmark index" in run(work)


def test_it_ends_when_the_client_is_gone(shop: World) -> None:
    ended = subprocess.run(command(shop.root), input=b"", capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, b"")


def test_without_the_sdk_one_line_says_what_to_install(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    result = birthmark("mcp", cwd=shop.root)
    assert result.returncode == 2
    assert result.stderr == (
        "birthmark: mcp needs the SDK of the protocol; `pip install 'birthmark[mcp]'` installs it\n"
    )
