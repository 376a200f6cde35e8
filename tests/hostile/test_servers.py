"""Servers, watchers and programs that import birthmark run and follow nothing of a hostile repository either."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urljoin
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import anyio
import psutil  # type: ignore[import-untyped]  # without stubs
import pytest
from mcp import Client, StdioServerParameters
from web_pages import links_in

from editor_client import edit, editing
from hostile.judge import judge_output
from hostile.scene import IS_FULL, WAYS, Scene, needs_linux
from hostile.traps import MODULE_FORMS, Variant

pytestmark = [*needs_linux, pytest.mark.timeout(600)]

FORMS = list(MODULE_FORMS) if IS_FULL else ["modules"]
TRIED = [(form, way) for form in FORMS for way in WAYS] if IS_FULL else [("modules", "in the repository")]
VALUES = {"ref": "total", "path": "shop.py", "start": "run", "end": "total", "text": "total", "id": "x", "number": "1"}
TOOLS: dict[str, dict[str, str]] = {
    "search": {"text": "total"},
    "show": {"ref": "total"},
    "resolve": {"ref": "shop.py:2"},
    "history": {"ref": "total"},
    "diff": {"base": "HEAD~1"},
    "graph": {"ref": "total", "question": "users"},
    "context": {"ref": "total"},
    "subscriptions": {},
    "notes": {},
}
_LINK = re.compile(r"open (http://\S+)")
_MOST_PAGES = 80 if IS_FULL else 15


@pytest.fixture
def make_scene(tmp_path: Path) -> Callable[[str], Scene]:
    def make(form: str) -> Scene:
        scene = Scene(tmp_path, Variant(form))
        scene.prepare()
        return scene

    return make


class Server:
    """A process that was started as a user does it; what it and its children print is collected."""

    def __init__(self, scene: Scene, way: str, *words: str) -> None:
        self.scene = scene
        self.output = (scene.folder / "output").open("w+b")
        self.process = subprocess.Popen(
            [*scene.command(way), *words],
            cwd=scene.working_folder(way),
            env=scene.environment(),
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
        )

    def read(self) -> bytes:
        return (self.scene.folder / "output").read_bytes()

    def wait_for(self, pattern: str) -> re.Match[str]:
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            if found := re.search(pattern, self.read().decode()):
                return found
            time.sleep(0.02)
        raise AssertionError(self.read().decode())

    def stop(self) -> bytes:
        """Return all output; the server must end well."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(30)
        assert code == 0, self.read().decode()
        return self.read()


@contextmanager
def serving(scene: Scene, way: str, *words: str) -> Iterator[Server]:
    server = Server(scene, way, *words)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()
        server.output.close()


def judge_children(process: int, root: Path) -> list[str]:
    """Return what is wrong with processes that were started by one: none of them works in the repository."""
    found = []
    for child in psutil.Process(process).children(recursive=True):
        folder, command = child.cwd(), child.cmdline()
        if folder == str(root) or folder.startswith(f"{root}{os.sep}"):
            found.append(f"works in the repository: {command}")
    return found


# HTTP


class Browser:
    """Asks a server, and keeps all that it answers."""

    def __init__(self, token: str) -> None:
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))
        self.token, self.answers = token, b""

    def get(self, address: str, body: bytes | None = None, **headers: str) -> bytes:
        request = Request(address, body, headers)  # noqa: S310 - the server is ours
        try:
            with self.opener.open(request, timeout=60) as reply:
                answer: bytes = reply.read()
        except HTTPError as error:
            answer = error.read()
            if error.code >= 500:
                raise
        self.answers += answer
        return answer

    def ask(self, address: str, body: object = None) -> bytes:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return self.get(address, json.dumps(body).encode() if body is not None else None, **headers)


def ask_all(browser: Browser, link: str, repository: str = "") -> None:
    """Ask every route of the JSON interface, of one repository of several, and follow the links of pages."""
    home = link.partition("/sign-in")[0] + repository
    described = json.loads(browser.ask(f"{home}/v1/openapi.json"))
    for path, methods in described["paths"].items():
        if "get" not in methods or path.endswith(("/events", "/openapi.json")):
            continue
        params = [one for one in methods["get"].get("parameters", []) if one.get("required")]
        query = {one["name"]: VALUES.get(one["name"], "x") for one in params if one["in"] == "query"}
        place = re.sub(r"\{(\w+)\}", lambda name: quote(VALUES.get(name[1], "x")), path)
        browser.ask(f"{home}{place if place.startswith('/v1') else '/v1' + place}?{urlencode(query)}")
    browser.ask(f"{home}/v1/index", {})
    browser.ask(f"{home}/v1/resolve", {"refs": ["total", "linked.py:1", ".env:1"]})
    browser.ask(f"{home}/v1/scan", {})
    visit_pages(browser, link)


def visit_pages(browser: Browser, link: str) -> None:
    waiting, seen = [link], set[str]()
    while waiting and len(seen) < _MOST_PAGES:
        address = waiting.pop(0).partition("#")[0]
        if address not in seen and address.startswith(link.partition("/sign-in")[0]):
            seen.add(address)
            html = browser.get(address).decode("utf-8", "replace")
            if "<html" in html:
                waiting += [urljoin(address, one) for one in sorted(links_in(html))]
    assert len(seen) > 5


@pytest.mark.parametrize(("form", "way"), TRIED)
@pytest.mark.parametrize("options", [(), ("--processes", "2", "--watch")], ids=["one process", "several"])
def test_serve(make_scene: Callable[[str], Scene], form: str, way: str, options: tuple[str, ...]) -> None:
    scene = make_scene(form)
    with (
        scene.judged(way) as violations,
        serving(scene, way, "serve", "--port", "0", "--log", "-", *options) as server,
    ):
        link = server.wait_for(_LINK.pattern)[1]
        browser = Browser((scene.root / ".birthmark" / "http-token").read_text().strip())
        ask_all(browser, link)
        violations += judge_children(server.process.pid, scene.root)
        violations += judge_output(server.stop() + browser.answers)
    assert violations == []


# Agents


@pytest.mark.parametrize(("form", "way"), TRIED)
def test_mcp(make_scene: Callable[[str], Scene], form: str, way: str) -> None:
    scene = make_scene(form)
    program, *arguments = [*scene.command(way), "mcp"]
    parameters = StdioServerParameters(
        command=program, args=arguments, env=scene.environment(), cwd=scene.working_folder(way)
    )
    answers, found = list[str](), list[str]()

    async def ask() -> None:
        async with Client(parameters) as client:
            for tool in (await client.list_tools()).tools:
                answers.append((await client.call_tool(tool.name, TOOLS[tool.name])).model_dump_json())
            answers.append((await client.call_tool("show", {"ref": ".env:1"})).model_dump_json())
            (server,) = [one for one in psutil.Process().children() if "mcp" in one.cmdline()]
            found.extend(judge_children(server.pid, scene.root))

    with scene.judged(way) as violations:
        anyio.run(ask)
    assert violations + found + judge_output("".join(answers).encode()) == []


# Editors


@pytest.mark.parametrize(("form", "way"), TRIED)
def test_lsp(make_scene: Callable[[str], Scene], form: str, way: str) -> None:
    scene = make_scene(form)
    answers, found = list[str](), list[str]()

    async def story() -> None:
        async with editing(
            scene.root,
            server=[*scene.command(way), "lsp"],
            env=scene.environment(),
            cwd=scene.working_folder(way),
        ) as editor:
            uri = editor.open(scene.root / "shop.py")
            answers.append(repr(await editor.titles(uri)))
            answers.append(repr(await editor.hover(uri, 0, 5)))
            answers.append(repr(await editor.references(uri, 0, 5)))
            editor.save(uri)
            answers.append(repr(await editor.definitions(editor.open(scene.root / "use.py"), 4, 12)))
            found.extend(judge_children(editor.process, scene.root))

    with scene.judged(way) as violations:
        edit(story)
    assert violations + found + judge_output("".join(answers).encode()) == []


# Others


@pytest.mark.parametrize(("form", "way"), TRIED)
def test_watch(make_scene: Callable[[str], Scene], form: str, way: str) -> None:
    scene = make_scene(form)
    with scene.judged(way, writes=("shop.py",)) as violations, serving(scene, way, "watch") as server:
        server.wait_for("watching|Ctrl-C")
        shop = scene.root / "shop.py"
        shop.write_text(shop.read_text() + "\n\ndef added():\n    return 1\n")
        server.wait_for("1 born")
        violations += judge_children(server.process.pid, scene.root)
        violations += judge_output(server.stop())
    assert violations == []


LIBRARY = """
import birthmark

with birthmark.Repository.open(".") as repository:
    repository.index(from_history=True, jobs=2)
    print(repository.status(), list(repository.entities()), list(repository.chunks()))
    print(repository.resolve("total"), repository.entity("total"), repository.history("total"))
    print(repository.users("total"), repository.search("total"), repository.diff("HEAD~1"))
    print(repository.subscriptions)
    for private in (".env:1", "linked.py:1"):
        try:
            print(repository.entity(private))
        except birthmark.BirthmarkError as error:
            print(error)
"""


def test_a_program_that_imports_birthmark(make_scene: Callable[[str], Scene]) -> None:
    scene = make_scene(FORMS[0])
    program = scene.elsewhere / "program.py"
    program.write_text(LIBRARY)
    with scene.judged() as violations:
        done = subprocess.run(
            [sys.executable, str(program)],
            cwd=scene.root,
            env=scene.environment(),
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    assert violations + judge_output(done.stdout + done.stderr) == []
