"""Agents ask a server of many repositories, in several processes behind one port; and one over a shared store."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest
from postgres_server import fresh_database
from served_fleets import SHOP, TOOLS, ServedFleet

from agent_clients import by_stdio, by_token, call, fail, run
from birthmark.app.workspace.workspace import STORE

LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServedFleet:
    url = fresh_database()
    monkeypatch.setenv(STORE, url)
    return ServedFleet(tmp_path, url)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_agents_have_the_rights_of_their_tokens(fleet: ServedFleet) -> None:
    reader = bearer(fleet.token_of("anna", repositories=("acme/shop",)))
    writer = bearer(fleet.token_of("ben", writes=True, repositories=("acme/shop",)))
    with fleet.serving("--processes", "2", "--allow-notes") as base:

        async def read() -> None:
            async with by_token(f"{base}{SHOP}/mcp", reader) as client:
                shown = await call(client, "show", ref="price")
                assert (shown["entity"]["name"], shown["freshness"]["fresh"]) == ("price", True)
                assert "is read-only" in await fail(client, "notes", action="write", ref="price", text="mine")

        async def write() -> None:
            async with by_token(f"{base}{SHOP}/mcp", writer) as client:
                (note,) = (await call(client, "notes", action="write", ref="price", text="Net."))["notes"]
                assert note["name"] == "price"

        async def ask_all_processes() -> None:
            """Each connection is accepted by any of them."""
            for _ in range(12):
                async with by_token(f"{base}{SHOP}/mcp", reader) as client:
                    assert (await call(client, "show", ref="cost"))["entity"]["name"] == "cost"

        run(read)
        run(write)
        check_walls(base, reader)
        fleet.push("acme/shop", "def cost(item):\n    return item.net\n")
        fleet.refresh("acme/shop")
        run(ask_all_processes)
    audits = [json.loads(line) for line in (fleet.folder / ".birthmark/audit.jsonl").read_text().splitlines()]
    known = [(one["person"], one["path"], one["status"]) for one in audits if one["person"]]
    assert known == [("anna", f"{SHOP}/mcp", 200), ("ben", f"{SHOP}/mcp", 200)]  # what was refused is tried, too


def check_walls(base: str, reader: dict[str, str]) -> None:
    """Whether a repository exists is said to those alone who may see it; a browser's cookie opens nothing here."""
    refused = {httpx2.post(f"{base}{one}/mcp", json=LISTING, headers=reader).text for one in (TOOLS, "/repositories/x")}
    assert len(refused) == 1
    assert "for other repositories" in refused.pop()
    assert httpx2.post(f"{base}/mcp", json=LISTING, headers=reader).status_code == 404
    assert httpx2.post(f"{base}{SHOP}/mcp", json=LISTING).status_code == 401
    with httpx2.Client() as browser:
        token = reader["Authorization"].removeprefix("Bearer ")
        assert browser.post(f"{base}/sign-in", data={"token": token}).status_code == 303
        assert browser.get(f"{base}{SHOP}/v1/status").status_code == 200
        assert browser.post(f"{base}{SHOP}/mcp", json=LISTING).status_code == 401
    assert httpx2.get(f"{base}{SHOP}/mcp", headers=reader).status_code == 405


def test_an_agent_over_a_shared_store(fleet: ServedFleet) -> None:
    async def work() -> None:
        async with by_stdio(fleet.folder / "acme/tools.git", "--allow-notes", store=fleet.url) as client:
            assert (await call(client, "show", ref="saw"))["freshness"]["fresh"]
            assert "price" in await fail(client, "show", ref="price")
            await call(client, "notes", action="write", ref="saw", text="Blunt.")

    run(work)
    assert (fleet.folder / "acme/tools.git/.birthmark").is_dir()
    assert not list(fleet.folder.rglob("*.db"))
