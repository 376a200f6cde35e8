"""Every question is asked alike through every surface, and a new one is a struct and nothing else."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import click
import msgspec
import pytest
from cli_reference import write_cli_page
from click.testing import CliRunner
from msgspec import Meta

import birthmark
from asgi import Client
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.session import Session, open_session, unopened_session
from birthmark.documents.document import Document, PagedDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.notes import WriteNote
from birthmark.questions.parameters import Ref
from birthmark.questions.question import PagedQuestion, Question, make_question, parameters_of
from birthmark.questions.table import QUESTIONS
from birthmark.surfaces.arguments import params_of, question_of
from birthmark.surfaces.cli.command_table import SECTIONS, LazyGroup
from birthmark.surfaces.cli.completion import COMPLETED
from birthmark.surfaces.cli.top_command import cli
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes import openapi, routes
from birthmark.surfaces.mcp.tools import Tool
from running import without_time
from sample_shop import make_shop
from scanning import post_message
from worlds import World

TOKEN = "t" * 43
REQUIRED: dict[str, dict[str, Any]] = {
    "file": {"path": "web/app.js"},
    "search": {"text": "render"},
    "show": {"ref": "app.render"},
    "resolve": {"ref": "app.render"},
    "context": {"ref": "app.render"},
    "history": {"ref": "app.render"},
    "blame": {"path": "web/app.js"},
    "users": {"ref": "app.render"},
    "callers": {"ref": "app.render"},
    "callees": {"ref": "app.render"},
    "impact": {"ref": "app.render"},
    "path": {"start": "app.render", "end": "Basket.price"},
    "tests": {"ref": "app.render"},
    "resolve_many": {"refs": ["app.render", "nowhere"]},
    "anchors": {"refs": ["app.render", "web/app.js:2"]},
    "write_note": {"ref": "app.render", "text": "Slow on purpose."},
    "edit_note": {"id": "{note}", "text": "Fast by now."},
    "keep_note": {"id": "{note}"},
    "delete_note": {"id": "{note}"},
    "subscribe": {"ref": "Basket.price", "label": "prices"},
    "get_subscription": {"id": "{subscription}"},
    "get_state": {"id": "{subscription}"},
    "update_subscription": {"id": "{subscription}", "label": "again"},
    "acknowledge": {"id": "{subscription}"},
    "snooze": {"id": "{subscription}", "until": "2030-12-31"},
    "deactivate": {"id": "{subscription}"},
    "reactivate": {"id": "{subscription}"},
    "delete": {"id": "{subscription}"},
    "get_scan": {"number": 1},
    "retry_delivery": {"message": "msg_1"},
}
WRITING = [name for name, question in QUESTIONS.items() if question.writes]


class ToyDocument(PagedDocument, frozen=True):
    """Words, repeated."""

    words: list[str]


class Toy(PagedQuestion, frozen=True, kw_only=True):
    """Repeat a word."""

    arguments: ClassVar = ("ref",)

    ref: Ref
    times: Annotated[int, Meta(ge=1, le=9, description="Number of times.")] = 3

    def answer(self, session: Session) -> ToyDocument:
        words, start = self.cut([self.ref] * self.times)
        return ToyDocument(words, truncated=start is not None, next=start)


class Sample(NamedTuple):
    """A repository with a note and a subscription whose definition has changed since, which a scan has found."""

    world: World
    note: str
    subscription: str

    def values_of(self, name: str) -> dict[str, Any]:
        ids, values = {"{note}": self.note, "{subscription}": self.subscription}, REQUIRED.get(name, {})
        return {key: ids.get(value, value) if isinstance(value, str) else value for key, value in values.items()}


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    world = make_shop(tmp_path_factory.mktemp("questions") / "shop")
    world.index()
    with birthmark.Repository.open(world.root) as repository:
        note = repository.ask(WriteNote(ref="app.render", text="Slow.")).id
        subscription = repository.subscriptions.add("app.render").id
        world.replace("web/app.js", "item.name", "item.title")
        repository.index()
        assert repository.subscriptions.scan().scan == 1
    post_message(world.root, "msg_1", state="dead")
    return Sample(world, note, subscription)


@pytest.fixture(scope="module")
def shop(sample: Sample) -> World:
    return sample.world


def client_of(world: World) -> Client:
    headers = [("Host", "127.0.0.1:80"), ("Authorization", f"Bearer {TOKEN}")]
    return Client(make_app(world.root, TOKEN.encode(), Hosts.of(80)), headers)


def by_session(world: World, question: Question) -> Any:
    kind = type(question)
    opened = (
        open_session(world.root, RefreshOptions(), refreshes=kind.refreshes)
        if kind.opens
        else unopened_session(world.root)
    )
    with opened as session:
        return _as_json(question.answer(session))


def by_http(world: World, name: str, values: dict[str, Any]) -> Any:
    (route,) = [route for route in routes.ROUTES if route.name == name]
    body = {key: values[key] for key in values if key not in {param.name for param in route.params}}
    query = {key: value for key, value in values.items() if key not in body and f"{{{key}}}" not in route.path}
    path = routes.PREFIX + route.path.format(**values)
    client = client_of(world)
    reply = client.get(path, **query) if route.method == "GET" else client.post(path, body or None, route.method)
    assert reply.status == route.question.status, reply.body
    return reply.document


def by_python(world: World, question: Question) -> Any:
    with birthmark.Repository.open(world.root) as repository:
        found = repository.ask(question)
        assert isinstance(found, Document)
        return _as_json(found)


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name not in WRITING])
def test_every_surface_answers_alike(sample: Sample, name: str) -> None:
    values = sample.values_of(name)
    question = make_question(QUESTIONS[name], {**values, **_page_of(QUESTIONS[name])})
    expected = without_time(by_session(sample.world, question))
    if question.route is not None:
        assert without_time(by_http(sample.world, name, values)) == expected
    assert without_time(by_python(sample.world, question)) == expected


@pytest.mark.parametrize("name", WRITING)
def test_every_surface_writes_alike(sample: Sample, tmp_path: Path, name: str) -> None:
    """Each writes in a copy of its own."""
    values = sample.values_of(name)
    question = make_question(QUESTIONS[name], {**values, **_page_of(QUESTIONS[name])})
    ways: dict[str, Callable[[World], Any]] = {
        "session": lambda world: by_session(world, question),
        "http": lambda world: by_http(world, name, values),
        "python": lambda world: by_python(world, question),
    }
    found = []
    for way, write in ways.items():
        shutil.copytree(sample.world.root, tmp_path / way / "shop", symlinks=True)
        found.append(_without_chance(write(World(tmp_path / way / "shop")), tmp_path / way))
    assert found[1] == found[0]
    assert found[2] == found[0]


def _without_chance(document: Any, folder: Path) -> Any:
    """A document without times, durations and the ids that are drawn."""
    text = json.dumps(without_time(document)).replace(str(folder), "")
    text = re.sub(r"20\d\d-\d\d-\d\dT[\d:]+Z", "TIME", text)
    text = re.sub(r"(note|sub)-\w{10}", r"\1-ID", text)
    text = re.sub(r'"(seconds|bytes_on_disk|indexed_at|at)": [\d.]+', r'"\1": 0', text)
    return json.loads(text)


def _as_json(document: Document) -> Any:
    return json.loads(msgspec.json.encode(document))


def _page_of(kind: type[Question]) -> dict[str, Any]:
    """The page that HTTP answers without being asked for one."""
    return {param.name: param.default for param in params_of(kind) if param.name == "limit"}


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_parameter_is_described(name: str) -> None:
    assert (QUESTIONS[name].__doc__ or "").strip().partition("\n")[0].endswith(".")
    assert [one.name for one in parameters_of(QUESTIONS[name]) if not one.description] == []


def test_a_question_is_one_struct(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    route = routes.make_route("toy", Toy)
    monkeypatch.setattr(routes, "ROUTES", (*routes.ROUTES, route))
    monkeypatch.setattr(openapi, "ROUTES", routes.ROUTES)
    openapi.describe_routes.cache_clear()
    described = openapi.describe_routes()["paths"][f"{routes.PREFIX}/toy"]["get"]
    openapi.describe_routes.cache_clear()
    assert (described["operationId"], described["summary"]) == ("toy", "Repeat a word.")
    assert {one["name"] for one in described["parameters"]} == {"ref", "times", "limit", "offset", "refresh"}
    with birthmark.Repository.open(shop.root) as repository:
        found = repository.ask(Toy(ref="a", times=3, limit=2))
    assert (found.words, found.truncated, found.next) == (["a", "a"], True, 2)
    asked = question_of(Toy, {"ref": "a", "times": 2, "refresh": "true"})
    assert asked == Toy(ref="a", times=2)


@pytest.mark.parametrize("values", [{}, {"ref": ""}, {"ref": "a", "times": 0}, {"ref": "a", "times": "x"}, {"no": 1}])
def test_a_wrong_value_is_refused_in_one_line(values: dict[str, Any]) -> None:
    with pytest.raises(BirthmarkError) as caught:
        make_question(Toy, values)
    assert "\n" not in str(caught.value)


def test_a_question_is_a_command(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(QUESTIONS, "toy", Toy)
    monkeypatch.chdir(shop.root)
    command = LazyGroup().get_command(click.Context(click.Group()), "toy")
    assert command is not None
    assert [one.name for one in command.params][:5] == ["ref", "times", "limit", "offset", "form"]
    assert command.params[0].type is COMPLETED["ref"]
    result = CliRunner().invoke(command, ["a", "--times", "2"])
    assert (result.exit_code, json.loads(result.stdout)["words"]) == (0, ["a", "a"])
    refused = CliRunner().invoke(command, ["a", "--times", "10"])
    assert (refused.exit_code, "10 is not in the range 1<=x<=9." in refused.stderr) == (2, True)
    assert "Repeat a word." in CliRunner().invoke(command, ["--help"]).stdout


def test_a_question_is_a_tool(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(QUESTIONS, "toy", Toy)
    tool = Tool("toy")
    assert tool.summary == "Repeat a word."
    assert list(tool.input_schema["properties"]) == ["ref", "times", "tokens", "cursor"]
    assert tool.input_schema["required"] == ["ref"]
    with open_session(shop.root) as session:
        assert tool.answer(session, tool.read_arguments({"ref": "a", "times": 2}))["words"] == ["a", "a"]


def test_a_question_is_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(QUESTIONS, "toy", Toy)
    monkeypatch.setitem(SECTIONS["Code"], "toy", "")
    monkeypatch.setattr(cli, "commands", dict(cli.commands))
    page = write_cli_page()
    assert "[`birthmark toy`](#birthmark-toy) | Repeat a word |" in page
    assert "### `birthmark toy`" in page
    assert "| `--times N` | Number of times. [default: 3] |" in page
