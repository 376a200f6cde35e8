"""`birthmark mcp` in a process of its own, asked by the SDK's client."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from running import birthmark
from sample_shop import make_shop
from worlds import World

Answer = TypeVar("Answer")
_ADDRESS = re.compile(r"agents at (\S+)")


def make_noted_shop(root: Path) -> World:
    """Replayed, with a note and a subscription that a scan has reported."""
    world = make_shop(root)
    for arguments in (
        ("index", "--from-history"),
        ("note", "Basket.price", "Rounds half up, as the tax office wants it."),
        ("subscribe", "Basket.price", "--label", "what customers pay", "--at", "HEAD~1"),
        ("scan",),
    ):
        assert birthmark(*arguments, cwd=world.root).returncode == 0
    return world


def command(root: Path, *options: str, store: str = "") -> list[str]:
    of_store = ["--store", store] if store else []
    return [sys.executable, "-m", "birthmark", "-C", str(root), *of_store, "mcp", *options]


@asynccontextmanager
async def by_stdio(root: Path, *options: str, store: str = "") -> AsyncIterator[Client]:
    program, *arguments = command(root, *options, store=store)
    async with Client(StdioServerParameters(command=program, args=arguments)) as client:
        yield client


@contextmanager
def serving(root: Path, *options: str) -> Iterator[str]:
    """The address of a server over HTTP; it must end well when it is stopped."""
    arguments = command(root, "--http", "--port", "0", *options)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            found = _ADDRESS.search(server.stderr.readline())
            assert found is not None
            yield found[1]
        finally:
            server.terminate()
            server.stderr.read()
            assert server.wait() == 0


def token_of(root: Path) -> dict[str, str]:
    return {"Authorization": f"Bearer {(root / '.birthmark' / 'http-token').read_text().strip()}"}


@asynccontextmanager
async def by_http(root: Path, address: str, token: dict[str, str] | None = None) -> AsyncIterator[Client]:
    """With the owner's token, or another."""
    async with by_token(address, token or token_of(root)) as client:
        yield client


@asynccontextmanager
async def by_token(address: str, token: dict[str, str]) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=token, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def run(work: Callable[[], Awaitable[Answer]]) -> Answer:
    return anyio.run(work)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


async def call(client: Client, tool: str, /, **arguments: Any) -> Any:
    """The answer of a tool, which must not fail."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return result.structured_content


async def fail(client: Client, tool: str, /, **arguments: Any) -> str:
    """Why it failed."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)
