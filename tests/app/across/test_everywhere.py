"""Questions over all repositories of a database, on a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from company import BIRTHS, HOSTILE, ask, make_company
from postgres_server import fresh_database

from birthmark.app.across import ALL_VISIBLE, Visible
from birthmark.app.answers.impact import ImpactQuery, find_impacted
from birthmark.app.answers.neighbours import find_callees
from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.changes.diff_arguments import read_filter
from birthmark.app.workspace.commits import make_extractor
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import open_other_index
from birthmark.app.workspace.workspace import REPOSITORY, STORE, Workspace
from birthmark.queries.search import read_search, search
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.queries.text_search import ReadingBudget
from birthmark.server.across import other_repositories
from birthmark.server.postgres.store import PostgresStore
from birthmark.sources.config import Settings
from birthmark.store.model import StoreLocation
from birthmark.store.port import Store
from running import Result, birthmark


class Company(NamedTuple):
    url: str
    roots: dict[str, Path]

    def ask(self, name: str, *arguments: str) -> Result:
        return ask(self.url, name, *arguments, cwd=self.roots[name])

    def results(self, name: str, *arguments: str) -> list[dict[str, Any]]:
        done = self.ask(name, *arguments, "--everywhere", "--json")
        assert done.returncode == 0, done.stderr
        return list(json.loads(done.stdout)["results"])


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Company:
    url = fresh_database()
    return Company(url, make_company(tmp_path_factory.mktemp("company"), url))


def site_of(result: dict[str, Any]) -> str:
    return f"{result['repository']} {result['site']['path']}:{result['site']['line']} {result['edge']}"


# Users


def test_users_are_found_where_a_manifest_depends_on_the_package_or_there_is_none(company: Company) -> None:
    found = company.results("money", "users", "round_up")
    assert {result["resolution"] for result in found} == {"import"}
    assert [site_of(result) for result in found] == [
        "None src/money/__init__.py:1 imports",
        "scripts once.py:3 calls",
        "shop shop/cart.py:1 imports",
        "shop shop/cart.py:5 calls",
    ]
    assert [result["entity"] and result["entity"]["qualified_name"] for result in found[1:]] == [None, None, "total"]


def test_repositories_that_cannot_use_it_are_not_opened(company: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_noted(workspace: Workspace, repository: str) -> Store:
        opened.append(repository)
        return open_other_index(workspace, repository)

    monkeypatch.setattr(other_repositories, "open_other_index", open_noted)
    company.results("money", "users", "round_up")
    assert set(opened) == {"scripts", "shop"}
    opened.clear()
    company.results("money", "users", "Account")
    assert opened == ["shop"]


def test_users_across_repositories_in_javascript_and_typescript(company: Company) -> None:
    """`site` passes it on to `page`, under another name."""
    assert [site_of(one) for one in company.results("dates", "users", "day", "--calls")] == [
        "page page.ts:3 calls",
        "site src/main.ts:3 calls",
    ]


def test_users_in_a_repository_with_a_hostile_name(company: Company) -> None:
    assert [site_of(one) for one in company.results("shop", "users", "pay", "--calls")] == [
        f"{HOSTILE} office/report.py:5 calls"
    ]


def test_what_is_printed_names_the_repository(company: Company) -> None:
    printed = company.ask("money", "users", "round_up", "--everywhere").stdout
    assert "shop//shop/cart.py" in printed
    assert "other repositories that may depend on acme-money (pypi): 2, that use it: 2" in printed
    assert "shop//" not in company.ask("money", "users", "round_up").stdout


def test_a_repository_that_cannot_be_asked_is_named(company: Company, tmp_path: Path) -> None:
    with closing(PostgresStore(StoreLocation(tmp_path, company.url, "shop"), writable=True)) as store:
        known = store.meta("format")
        store.set_meta("format", "of another time")
        try:
            done = company.ask("money", "users", "round_up", "--everywhere")
            document = json.loads(company.ask("money", "users", "round_up", "--everywhere", "--json").stdout)
        finally:
            store.set_meta("format", known)
    assert (done.returncode, "scripts//once.py" in done.stdout, "shop//" in done.stdout) == (0, True, False)
    assert "shop: the index was made by another version of birthmark" in done.stderr
    assert [one["repository"] for one in document["unasked"]] == ["shop"]


def test_without_a_database_there_is_one_line(company: Company) -> None:
    root = company.roots["money"]
    assert birthmark("index", cwd=root).returncode == 0
    done = birthmark("users", "round_up", "--everywhere", cwd=root)
    assert (done.returncode, done.stderr.count("\n"), "--store" in done.stderr) == (2, 1, True)


def test_what_a_role_may_not_see_is_not_there(company: Company) -> None:
    """A reader that may see two repositories."""
    with psycopg.connect(company.url, autocommit=True) as connection:
        rows = connection.execute("SELECT name, repository FROM birthmark.repositories").fetchall()
        connection.execute("DROP ROLE IF EXISTS across_reader")
        connection.execute("CREATE ROLE across_reader LOGIN IN ROLE birthmark_reader")
    numbers = {str(name): str(number) for name, number in rows}
    seen = f"{numbers['money']}%2C{numbers['shop']}"
    url = company.url.replace("postgres:@", "across_reader@").replace("postgres@", "across_reader@")
    url += f"{'&' if '?' in url else '?'}options=-c%20birthmark.repositories%3D{seen}"
    done = birthmark(
        "--store",
        url,
        "--repository",
        "money",
        "users",
        "round_up",
        "--everywhere",
        "--json",
        cwd=company.roots["money"],
    )
    assert done.returncode == 0, done.stderr
    assert {one["repository"] for one in json.loads(done.stdout)["results"]} == {None, "shop"}


def test_callees_lead_to_the_repository_that_defines_them(company: Company) -> None:
    found = company.results("shop", "callees", "total")
    assert [(one["repository"], one["name"], one["resolution"]) for one in found] == [
        (None, "sum", "unresolved"),
        ("money", "round_up", "import"),
    ]
    assert found[1]["entity"]["path"] == "src/money/rounding.py"
    assert "money//src/money/rounding.py" in company.ask("shop", "callees", "total", "--everywhere").stdout


def test_callees_lead_through_a_repository_that_passes_them_on(company: Company) -> None:
    """`page` depends on `site`, which has it from `dates` and calls it `date`."""
    found = company.results("page", "callees", "today")
    assert [(one["repository"], one["name"], one["resolution"]) for one in found] == [("dates", "date", "import")]
    assert (found[0]["entity"]["path"], found[0]["entity"]["name"]) == ("lib/day.js", "day")


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        (ALL_VISIBLE, ["dates"]),
        (frozenset({"dates", "site"}), ["dates"]),
        (frozenset({"dates"}), []),
        (frozenset(), []),
    ],
)
def test_callees_do_not_lead_through_what_is_hidden(
    company: Company, visible: Visible, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, company.url)
    monkeypatch.setenv(REPOSITORY, "page")
    with open_session(company.roots["page"]) as session:
        session.visible = visible
        found = session.others(everywhere=True).add_callees(find_callees(session, "today"))
        assert [repository for repository, *_ in found.others] == expected


# Impact


def test_impact_goes_on_from_repository_to_repository(company: Company) -> None:
    found = company.results("money", "impact", "round_up")
    assert [(one["repository"], one["depth"], one["site"]["path"]) for one in found] == [
        (None, 1, "src/money/__init__.py"),
        (HOSTILE, 3, "office/report.py"),
        ("scripts", 1, "once.py"),
        ("shop", 1, "shop/cart.py"),
        ("shop", 2, "shop/pay.py"),
    ]
    assert "users in 3 other repositories" in company.ask("money", "impact", "round_up", "--everywhere").stdout


def test_impact_goes_through_a_repository_that_passes_it_on(company: Company) -> None:
    """Which calls it `date`: `page` depends on that one alone."""
    found = company.results("dates", "impact", "day")
    assert [(one["repository"], one["depth"], one["site"]["path"], one["edge"]) for one in found if one["entity"]] == [
        ("page", 1, "page.ts", "calls"),
        ("site", 1, "src/main.ts", "calls"),
    ]


@pytest.mark.parametrize(("name", "ref"), [("dates", "day"), ("money", "round_up"), ("shop", "pay")])
def test_impact_begins_with_the_calls_that_users_finds(company: Company, name: str, ref: str) -> None:
    calls = {site_of(one) for one in company.results(name, "users", ref, "--calls") if one["repository"]}
    reached = [one for one in company.results(name, "impact", ref) if one["repository"] and one["depth"] == 1]
    assert {site_of(one) for one in reached if one["edge"] == "calls"} == calls != set()


@pytest.mark.parametrize(
    ("visible", "expected"),
    [(frozenset({"page", "site"}), ["page", "site"]), (frozenset({"page"}), []), (frozenset({"site"}), ["site"])],
)
def test_impact_does_not_go_through_what_is_hidden(
    company: Company, visible: Visible, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(STORE, company.url)
    monkeypatch.setenv(REPOSITORY, "dates")
    with open_session(company.roots["dates"]) as session:
        session.visible = visible
        own = find_impacted(session, "day", ImpactQuery())
        found = session.others(everywhere=True).add_impact(*own, ImpactQuery())
    assert sorted({one.repository for one in found.results if one.repository}) == expected


def test_impact_ends_at_its_depth(company: Company) -> None:
    found = company.results("money", "impact", "round_up", "--depth", "2")
    assert {one["repository"] for one in found} == {None, "scripts", "shop"}


# Search


def test_search_ranks_the_results_of_all_repositories(company: Company) -> None:
    found = company.results("shop", "search", "round_up")
    assert [(one["repository"], one["match"]) for one in found[:2]] == [("money", "name"), ("quiet", "name")]
    assert ("shop", "code") not in [(one["repository"], one["match"]) for one in found]
    first = company.results("shop", "search", "round_up", "--limit", "1")
    second = company.results("shop", "search", "round_up", "--limit", "1", "--offset", "1")
    assert [one["entity"]["mark"] for one in (*first, *second)] == [one["entity"]["mark"] for one in found[:2]]


def open_all(company: Company, stack: ExitStack) -> dict[str, SnapshotView]:
    """Each for itself, in the order in which results that rank the same are listed: the one that is asked first."""
    views = {}
    for name in ["shop", *sorted(set(company.roots) - {"shop"}, key=str.encode)]:
        store = stack.enter_context(closing(PostgresStore(StoreLocation(company.roots[name], company.url, name))))
        stack.enter_context(store.reading())
        views[name] = SnapshotView(store, store.snapshots()[0].worktree, make_extractor(Settings(), store=store))
    return views


def search_each(views: dict[str, SnapshotView], text: str) -> list[str]:
    """The marks of all results, ranked as they are in one repository."""
    ranked = []
    for number, view in enumerate(views.values()):
        found = search(view, read_search(text), read_filter((), (), ()), ReadingBudget())
        for place, hit in enumerate(found):
            stage = 1 if hit.text is not None else 0 if hit.cost < 10 else 2
            ranked.append(((stage, 0.0 if stage == 1 else hit.cost, place, number), hit.shown.mark))
    return [mark for _, mark in sorted(ranked)]


@pytest.fixture(params=[False, True], ids=["as indexed", "with texts that are searchable"])
def shop(company: Company, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    for name in company.roots if request.param else ():
        company.ask(name, "search", "anything")
    monkeypatch.setenv(STORE, company.url)
    monkeypatch.setenv(REPOSITORY, "shop")
    with open_session(company.roots["shop"]) as session:
        yield session


@pytest.mark.parametrize(
    "texts",
    [
        ("round_up", "ROUND", "rond_up", "pay", "pya", "t"),
        ("Account.close", "money.Acount", "close account", "whole factor scaled", "return round_up sum"),
        ("x", "money", "nothing is called so"),
    ],
    ids=["names", "several words", "texts"],
)
def test_search_finds_what_opening_each_finds(company: Company, shop: Session, texts: tuple[str, ...]) -> None:
    with ExitStack() as stack:
        views = open_all(company, stack)
        for text in texts:
            expected = search_each(views, text)
            for limit in (1, 3, 100):
                query = SearchQuery(text, limit=limit)
                page = shop.others(everywhere=True).find_page(partial(find_page, shop), query)
                assert [one.entity.mark for one in page.results] == expected[:limit], text
                assert (page.next is not None) == (len(expected) > limit)


@pytest.mark.parametrize("shop", [True], indirect=True)
def test_only_repositories_that_may_have_it_are_opened(shop: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def open_noted(workspace: Workspace, repository: str) -> Store:
        opened.append(repository)
        return open_other_index(workspace, repository)

    monkeypatch.setattr(other_repositories, "open_other_index", open_noted)
    for text, limit, expected in (
        ("round_up", 1, ["money", "quiet"]),  # by names: there is a second page
        ("Acount", 9, ["money", "money"]),  # by names, and again with texts
        ("scaled", 9, ["money", "quiet"]),
        ("nowhere_to_be_found", 9, []),
    ):
        opened.clear()
        shop.others(everywhere=True).find_page(partial(find_page, shop), SearchQuery(text, limit=limit))
        assert opened == expected, text


# Copies


def test_copies_are_found_with_which_came_first(company: Company) -> None:
    done = company.ask("money", "clones", "round_up", "--everywhere", "--json")
    (group,) = json.loads(done.stdout)["groups"]
    clones = [(one["repository"], one["entity"]["path"], one["born"]) for one in group["clones"]]
    assert clones == [
        (None, "src/money/rounding.py", BIRTHS["money"]),
        ("quiet", "renamed.py", BIRTHS["quiet"]),
        ("quiet", "vendored.py", BIRTHS["quiet"]),
    ]
    assert [one["entity"]["name"] for one in group["clones"]] == ["round_up", "ceiling", "round_up"]
    assert 0.7 < group["clones"][2]["share"] < group["clones"][1]["share"] == 1
    printed = company.ask("money", "clones", "round_up", "--everywhere").stdout
    assert "round_up  since 2017-07-14, the first" in printed
    assert "quiet//vendored.py:1-10" in printed


def test_what_says_too_little_has_no_copies(company: Company) -> None:
    """`close` and `shut` have the same body."""
    done = company.ask("money", "clones", "Account.close", "--everywhere", "--json")
    assert json.loads(done.stdout)["groups"] == []


def derivations(company: Company, name: str, ref: str) -> dict[str, list[tuple[str, str, str]]]:
    """The kind, the place and the evidence of each in another repository."""
    done = company.ask(name, "resolve", ref, "--everywhere", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    ends = {"from": found["derived_from"], "into": found["derivatives"]}
    ends["now"] = [step for carrier in found["carried_by"] for step in carrier["steps"]]
    return {
        word: [(one["kind"], f"{one['repository']}//{one['place']['path']}", one["evidence"]) for one in some]
        for word, some in ends.items()
        if some
    }


def test_what_left_for_another_repository_is_found_there(company: Company) -> None:
    moved = ("moved from", "quiet//tax.py", "same body")
    assert derivations(company, "money", "tax_of") == {"into": [moved], "now": [moved]}
    assert derivations(company, "quiet", "tax.py::tax_of") == {
        "from": [("moved from", "money//src/money/tax.py", "same body")]
    }
    printed = company.ask("money", "resolve", "tax_of", "--everywhere").stdout
    assert "its code is now in quiet//tax.py::tax_of (100 %)" in printed
    assert "quiet//" not in company.ask("money", "resolve", "tax_of").stdout


def test_what_was_copied_says_from_where(company: Company) -> None:
    origin = "money//src/money/rounding.py"
    assert derivations(company, "quiet", "ceiling") == {"from": [("copied from", origin, "same body")]}
    assert derivations(company, "quiet", "vendored.py::round_up") == {"from": [("copied from", origin, "shared code")]}
    assert derivations(company, "money", "round_up") == {
        "into": [
            ("copied from", "quiet//renamed.py", "same body"),
            ("copied from", "quiet//vendored.py", "shared code"),
        ]
    }
    assert derivations(company, "money", "Account.close") == {}


def test_copies_need_a_ref(company: Company) -> None:
    assert company.ask("money", "clones", "--everywhere").returncode == 2
