"""Questions over all repositories of a database: HTTP, agents, Python and pages answer as the command does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from company import HOSTILE, make_company
from mcp import Client as AgentClient
from mcp.client.streamable_http import streamable_http_client
from postgres_server import fresh_database
from web_pages import HOST, SECRETS, TOKEN, links_in, shown, text_of

from agent_clients import call, fail, run
from asgi import Client
from birthmark.api.repository import Repository
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_workspace
from birthmark.server.commands.token_commands import add_token
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.observation import PREFIX, SERVES
from birthmark.surfaces.http.observation import REPOSITORY as REPOSITORY_OF
from birthmark.surfaces.mcp.server import AgentServer
from birthmark.surfaces.web.site import make_site
from birthmark.surfaces.workers import Workers
from running import birthmark, without_time

SEEN_BY = {"dora": (), "anna": ("money", "shop"), "ben": ("money", HOSTILE), "carl": ("money",)}
TRACES = {"shop": "shop", HOSTILE: "office", "quiet": "vendored", "scripts": "once.py"}  # what their paths have
QUESTIONS: dict[str, dict[str, object]] = {
    "users": {"ref": "round_up"},
    "callers": {"ref": "round_up"},
    "callees": {"ref": "round_up"},
    "impact": {"ref": "round_up"},
    "search": {"text": "round_up"},
    "clones": {"ref": "round_up"},
    "resolve": {"ref": "round_up"},
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of `money`, which is chosen for this process: with what uses it, directly and further on."""
    url = fresh_database()
    names = ("money", "shop", HOSTILE, "quiet", "scripts")
    roots = make_company(tmp_path_factory.mktemp("company"), url, names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STORE, url)
        patch.setenv(REPOSITORY, "money")
        yield roots["money"]


@pytest.fixture(scope="module")
def tokens(root: Path) -> dict[str, tuple[str, str]]:
    """The headers of those who ask."""
    workspace = find_workspace(root)
    made = {name: add_token(workspace, name, writes=False, repositories=seen) for name, seen in SEEN_BY.items()}
    return {name: ("Authorization", f"Bearer {token}") for name, token in made.items()}


@pytest.fixture(scope="module")
def clients(root: Path, tokens: dict[str, tuple[str, str]]) -> dict[str, Client]:
    app = make_app(root, TOKEN, Hosts.of(7433))
    return {name: Client(app, [HOST, token]) for name, token in tokens.items()}


def by_command(root: Path, question: str, values: dict[str, object]) -> Any:
    (argument,) = values.values()
    done = birthmark(question, str(argument), "--everywhere", "--json", cwd=root)
    assert done.returncode == 0, done.stderr
    return without_time(json.loads(done.stdout))


@pytest.mark.parametrize("question", QUESTIONS)
def test_http_answers_as_the_command_does(clients: dict[str, Client], root: Path, question: str) -> None:
    values = QUESTIONS[question]
    reply = clients["dora"].get(
        f"/v1/{question}", **values, everywhere="true", **({} if question == "resolve" else {"limit": 100})
    )
    assert reply.status == 200, reply.body
    expected = by_command(root, question, values)
    answered = without_time(reply.document)
    assert {name: answered[name] for name in expected} == expected


def repositories_in(document: Any) -> set[str]:
    if isinstance(document, dict):
        own = {document["repository"]} if document.get("repository") else set()
        return own.union(*map(repositories_in, document.values()))
    return set().union(*map(repositories_in, document)) if isinstance(document, list) else set()


@pytest.mark.parametrize(
    ("person", "question", "seen"),
    [
        ("dora", "impact", {HOSTILE, "scripts", "shop"}),
        ("anna", "impact", {"shop"}),
        ("anna", "users", {"shop"}),
        ("anna", "search", {"shop"}),
        ("anna", "clones", set()),
        ("dora", "clones", {"quiet"}),
        ("ben", "impact", set()),  # What is reached through `shop` alone cannot be seen.
        ("ben", "search", set()),
        ("carl", "users", set()),
        ("dora", "resolve", {"quiet"}),
        ("carl", "resolve", set()),
    ],
)
def test_a_person_sees_nothing_of_other_repositories(
    clients: dict[str, Client], person: str, question: str, seen: set[str]
) -> None:
    reply = clients[person].get(f"/v1/{question}", **QUESTIONS[question], everywhere="true")
    assert reply.status == 200, reply.body
    assert repositories_in(reply.document) == seen
    hidden = [trace for name, trace in TRACES.items() if person != "dora" and name not in SEEN_BY[person]]
    assert not [trace for trace in hidden if trace in reply.body.decode()]


@pytest.mark.parametrize("person", SEEN_BY)
def test_many_refs_are_resolved_as_one_is(clients: dict[str, Client], person: str) -> None:
    """Each by the rights of the person, whether the own repository knows it or not."""
    client, refs = clients[person], ["round_up", "src/money/tax.py::tax_of", "nobody", "Account"]
    reply = client.post("/v1/resolve", {"refs": refs}, everywhere="true")
    assert reply.status == 200, reply.body
    single = [client.get("/v1/resolve", ref=ref, everywhere="true").document for ref in refs]
    assert without_time(reply.document["results"]) == without_time(single)
    assert repositories_in(reply.document) == ({"quiet"} if person == "dora" else set())


def test_many_refs_are_resolved_at_home_unless_asked_for(clients: dict[str, Client]) -> None:
    reply = clients["dora"].post("/v1/resolve", {"refs": ["src/money/tax.py::tax_of"]})
    assert [one["status"] for one in reply.document["results"]] == ["gone"]
    assert repositories_in(reply.document) == set()


def test_python_answers_as_the_command_does(root: Path) -> None:
    with Repository.open(root) as repository:
        users = repository.users("round_up", everywhere=True)
        found = repository.search("round_up", everywhere=True)
        resolved = repository.resolve("round_up", everywhere=True)
        many = list(repository.resolve_all(["round_up"], everywhere=True))
    for question, document in (("users", users), ("search", found), ("resolve", resolved), ("resolve", many[0])):
        expected = by_command(root, question, QUESTIONS[question])
        assert without_time(json.loads(msgspec.json.encode(document))) == expected


def test_agents_are_answered_by_the_rights_of_their_token(root: Path, tokens: dict[str, tuple[str, str]]) -> None:
    app: Any = AgentServer(SharedRepositories(root), Workers()).http_app(TOKEN, Hosts.of(7433))

    async def answer(person: str) -> tuple[list[str], ...]:
        transport = httpx2.ASGITransport(app=app)
        async with (
            httpx2.AsyncClient(transport=transport, headers=dict([tokens[person]]), timeout=60) as http,
            AgentClient(streamable_http_client("http://127.0.0.1:7433/mcp", http_client=http)) as client,
        ):
            asked = [
                await call(client, "graph", ref="round_up", question=question, everywhere=True)
                for question in ("users", "impact")
            ]
            found = await call(client, "search", text="round_up", everywhere=True)
            assert "everywhere: is for users" in await fail(
                client, "graph", ref="round_up", question="tests", everywhere=True
            )
            return (*([one["at"] for one in answer["results"]] for answer in asked), places_in(found))

    async def work() -> list[tuple[list[str], ...]]:
        async with app.router.lifespan_context(app):
            return [await answer(person) for person in ("dora", "anna")]

    (all_users, all_impact, all_found), (users, impact, found) = run(work)
    at_home = "src/money/__init__.py:1"
    assert all_users == [at_home, "scripts//once.py:3", "shop//shop/cart.py:1", "shop//shop/cart.py:5"]
    assert f"{HOSTILE}//office/report.py:5" in all_impact
    assert {one.partition("//")[0] for one in all_found if "//" in one} == {"quiet", "shop"}
    assert users == [at_home, "shop//shop/cart.py:1", "shop//shop/cart.py:5"]
    assert impact == [at_home, "shop//shop/cart.py:5", "shop//shop/pay.py:5"]
    assert {one.partition("//")[0] for one in found if "//" in one} == {"shop"}


def places_in(answer: Any) -> list[str]:
    return [one["place"] for one in answer["results"]]


def browse(root: Path, token: tuple[str, str], scope: dict[str, object] | None = None) -> Client:
    """As a server of this repository, or as one of many in which it is."""
    site = make_site(root, Hosts.of(7433), SECRETS)

    async def placed(given: Any, receive: Any, send: Any) -> None:
        await site(given | (scope or {}), receive, send)

    return Client(placed, [HOST, token])


@pytest.mark.parametrize("served", [None, set(), {"quiet"}, {"quiet", "shop"}])
def test_pages_show_what_is_elsewhere(root: Path, tokens: dict[str, tuple[str, str]], served: set[str] | None) -> None:
    """With addresses where the server, if it is one of many repositories, has the other ones."""
    scope: dict[str, object] = {}
    if served is not None:
        scope = {REPOSITORY_OF: "money", PREFIX: "/repositories/money", SERVES: served.__contains__}
    browser = browse(root, tokens["dora"], scope)
    mark = mark_of(browser)
    asked = browser.get("/search", text="round_up", everywhere="true")
    for page, repository, path in (
        (asked, "quiet", "vendored.py"),
        (browser.get(f"/users/{mark}", everywhere="true"), "shop", "shop/cart.py"),
    ):
        html = shown(page)
        assert repository in text_of(html)
        assert path in text_of(html)
        assert any(link.startswith(f"/repositories/{repository}/") for link in links_in(html)) == (
            repository in (served or ())
        )
    assert 'name="everywhere" value="true" checked' in shown(asked)
    users = f"{scope.get(PREFIX, '')}/users/{mark}?everywhere=true"
    assert users in links_in(shown(browser.get(f"/entity/{mark}")))
    assert users in links_in(shown(browser.get(f"/users/{mark}")))


def mark_of(browser: Client) -> str:
    return str(browser.get("/v1/show", ref="round_up").document["mark"])


def test_a_person_sees_pages_of_the_own_repositories(root: Path, tokens: dict[str, tuple[str, str]]) -> None:
    """Also where another person asks for the same page."""
    texts = {}
    for person in ("dora", "anna", "carl"):
        browser = browse(root, tokens[person])
        texts[person] = text_of(shown(browser.get(f"/users/{mark_of(browser)}", everywhere="true")))
    assert [[name in text for name in ("shop/cart.py", "once.py")] for text in texts.values()] == [
        [True, True],
        [True, False],
        [False, False],
    ]
    assert "of 1 other repository that" in texts["anna"]


def test_pages_of_users_go_on_elsewhere(clients: dict[str, Client]) -> None:
    client = clients["dora"]
    whole = client.get("/v1/users", ref="round_up", everywhere="true").document["results"]
    pages = [client.get("/v1/users", ref="round_up", everywhere="true", limit=2, offset=at).document for at in (0, 2)]
    assert [row for page in pages for row in page["results"]] == whole
    assert [page["next"] for page in pages] == [2, None]


def test_without_a_database_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STORE)
    monkeypatch.delenv(REPOSITORY)
    (tmp_path / "a.py").write_text("def f(): pass\n")
    assert birthmark("index", cwd=tmp_path).returncode == 0
    reply = Client(
        make_app(tmp_path, TOKEN, Hosts.of(7433)), [HOST, ("Authorization", f"Bearer {TOKEN.decode()}")]
    ).get("/v1/users", ref="f", everywhere="true")
    assert (reply.status, reply.code) == (400, "bad_request")
    assert "--store" in reply.document["error"]["message"]
