"""Every question is asked alike through every surface, and a new one is a struct and nothing else."""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar

import click
import msgspec
import pytest
from click.testing import CliRunner
from msgspec import Meta

import birthmark
from asgi import Client
from birthmark.app.workspace.session import Session, open_session
from birthmark.documents.document import Document, PagedDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.parameters import Ref
from birthmark.questions.question import PagedQuestion, Question, make_question, parameters_of
from birthmark.questions.table import QUESTIONS
from birthmark.surfaces.cli.command_table import LazyGroup
from birthmark.surfaces.cli.completion import COMPLETED
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes import openapi, routes
from birthmark.surfaces.http.routes.requests import params_of, question_of
from running import without_time
from sample_shop import make_shop
from worlds import World

TOKEN = "t" * 43
REQUIRED = {
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
}


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


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = make_shop(tmp_path_factory.mktemp("questions") / "shop")
    world.index()
    return world


def client_of(world: World) -> Client:
    headers = [("Host", "127.0.0.1:80"), ("Authorization", f"Bearer {TOKEN}")]
    return Client(make_app(world.root, TOKEN.encode(), Hosts.of(80)), headers)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_surface_answers_alike(shop: World, name: str) -> None:
    values = REQUIRED.get(name, {})
    question = make_question(QUESTIONS[name], {**values, **_page_of(QUESTIONS[name])})
    with open_session(shop.root) as session:
        expected = _as_json(question.answer(session))
    reply = client_of(shop).get(f"{routes.PREFIX}/{name}", **values)
    assert reply.status == 200, reply.body
    assert without_time(reply.document) == without_time(expected)
    with birthmark.Repository.open(shop.root) as repository:
        found = repository.ask(question)
        assert isinstance(found, Document)
        assert without_time(_as_json(found)) == without_time(expected)


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
    route = routes._question_route("toy", Toy)
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
    assert CliRunner().invoke(command, ["a", "--times", "10"]).exit_code == 2
    assert "Repeat a word." in CliRunner().invoke(command, ["--help"]).stdout
