"""`search` as people and programs read it, on the command line and over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes.routes import PREFIX
from running import birthmark, document, without_time
from worlds import World

SHOP = '''\
class Cart:
    """What a customer wants to buy."""

    def total(self, rebate: float) -> float:
        return sum(item.price for item in self.items) - rebate


def send_invoice(cart):
    """Mail the sum that is due."""
    return render(cart, "invoice.html")
'''


def client_of(root: Path) -> Client:
    token = "t" * 43
    app = make_app(root, token.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {token}")])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("search") / "w", {"shop.py": SHOP}, with_git=True)
    world.commit()
    world.index()
    world.replace("shop.py", "def total", "def sum_up")
    world.commit()
    world.index()
    return world


def test_a_search_without_a_hit_is_an_answer_unless_a_script_asks(world: World) -> None:
    for words, code in {("cart",): 0, ("zqxv",): 1}.items():
        assert birthmark("search", *words, cwd=world.root).returncode == 0
        assert birthmark("search", *words, "--exit-code", cwd=world.root).returncode == code


CASES = [
    (
        ["search", "cart"],
        """\
class Cart
  shop.py:1-5   {Cart}  name
def send_invoice(cart)
  shop.py:8-10  {send_invoice}  signature

2 results for `cart` in 1 file: 1 by name, 1 in signatures
""",
    ),
    (
        ["search", "sned", "invoice", "--limit", "1"],
        """\
def send_invoice(cart)
  shop.py:8-10  {send_invoice}  nearly its name

1 result for `sned invoice` in 1 file: 1 with a slip in a name
""",
    ),
    (
        ["search", "Cart.total"],
        """\
def Cart.sum_up(self, rebate: float) -> float
  shop.py:4-5  {sum_up}  former name
    was called Cart.total until 2024-01-26, {head}

1 result for `Cart.total` in 1 file: 1 by a former name
""",
    ),
    (
        ["search", "sum", "--limit", "1"],
        """\
def Cart.sum_up(self, rebate: float) -> float
  shop.py:4-5  {sum_up}  part of its name

1 result for `sum` in 1 file: 1 by a part of a name
… more; --offset 1
""",
    ),
    (
        ["search", "due"],
        """\
def send_invoice(cart)
  shop.py:8-10  {send_invoice}  doc, line 9
    ""\"Mail the sum that is due.""\"

1 result for `due` in 1 file: 1 in docs
""",
    ),
    (
        ["search", "customer", "--kind", "fn"],
        "nothing found for `customer` in 1 file, with these options\n",
    ),
    (["search", "sum", "--offset", "9"], "nothing more found for `sum` in 1 file\n"),
]


@pytest.mark.parametrize(("command", "expected"), CASES)
def test_what_people_see(world: World, command: list[str], expected: str) -> None:
    marks = {name: world.mark(name) for name in ("Cart", "sum_up", "send_invoice")}
    done = birthmark(*command, cwd=world.root)
    assert (done.stdout, done.stderr) == (expected.format(**marks, head=world.git("rev-parse", "HEAD")[:12]), "")


def test_what_programs_read(world: World) -> None:
    found = document("search", "total", cwd=world.root)
    result = found["results"][0]
    assert (result["entity"]["qualified_name"], result["match"]) == ("Cart.sum_up", "former name")
    assert result["former_name"]["qualified_name"] == "Cart.total"
    assert result["former_name"]["until"]["after"]["qualified_name"] == "Cart.sum_up"
    assert (found["text"], found["truncated"], found["next"], found["complete"]) == ("total", False, None, True)
    assert found["freshness"]["fresh"]
    line = document("search", "customer wants", cwd=world.root)["results"][0]["found"]
    assert line == {"line": 2, "text": '"""What a customer wants to buy."""'}


@pytest.mark.parametrize(
    ("query", "command"),
    [
        ({"text": "cart"}, ["cart"]),
        ({"text": "cart", "limit": "1"}, ["cart", "--limit", "1"]),
        ({"text": "cart", "offset": "1"}, ["cart", "--offset", "1"]),
        ({"text": "Cart.total"}, ["Cart.total"]),
        (
            {"text": "sum", "kind": "fn,method", "language": "python", "path": "*.py"},
            ["sum", "--kind", "fn", "--kind", "method", "--lang", "python", "--path", "*.py"],
        ),
    ],
)
def test_documents_are_those_of_the_command_line(world: World, query: dict[str, str], command: list[str]) -> None:
    reply = client_of(world.root).get(f"{PREFIX}/search", **query)
    expected = document("search", *command, cwd=world.root)
    assert (reply.status, without_time(reply.document)) == (200, without_time(expected))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([""], "birthmark: TEXT is empty; give a name, a part of it, or words from docs or code\n"),
        (["x" * 201], "birthmark: TEXT has 201 characters; 200 at most can be searched for\n"),
        (["x", "--kind", "fnn"], "birthmark: there is no kind 'fnn'; did you mean fn?\n"),
        (["x", "--lang", "pyton"], "birthmark: there is no language 'pyton'; did you mean python?\n"),
        (["x", "--path", "../y"], "birthmark: '../y' is outside of the repository; name a path in it\n"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(world: World, options: list[str], problem: str) -> None:
    done = birthmark("search", *options, cwd=world.root)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", problem)


def test_a_new_file_is_found_at_once(world: World) -> None:
    path = Path("new.py")
    world.write(str(path), "def unheard():\n    return 'of'\n")
    assert document("search", "unheard", cwd=world.root)["results"][0]["entity"]["path"] == "new.py"
    assert document("search", "'of'", cwd=world.root)["results"][0]["match"] == "code"
    world.remove(str(path))
    assert document("search", "unheard", cwd=world.root)["results"] == []


def test_deleted_definitions_are_found(tmp_path: Path) -> None:
    world = World(tmp_path, {"shop.py": SHOP}, with_git=True)
    world.commit()
    world.index()
    world.write("shop.py", SHOP.partition("\n\n\ndef send")[0] + "\n")
    commit = world.commit()
    world.index()
    found = document("search", "send_invoice", cwd=world.root)
    [deleted] = found["deleted"]
    assert (found["results"], deleted["path"], deleted["qualified_name"]) == ([], "shop.py", "send_invoice")
    assert (deleted["deletion"]["change"], deleted["deletion"]["revision"]) == ("deleted", commit)
    printed = birthmark("search", "send_invoice", cwd=world.root)
    assert printed.returncode == 0
    assert printed.stdout.startswith(f"shop.py::send_invoice  {deleted['mark']}  deleted ")
    assert document("search", "send_invoice", "--kind", "class", cwd=world.root)["deleted"] == []


def test_an_empty_answer_is_complete(world: World) -> None:
    found = document("search", "cratt_total_of_none", cwd=world.root)
    assert (found["results"], found["deleted"], found["searched_files"]) == ([], [], 1)
    assert document("search", "sent_inwoyce", cwd=world.root)["nearest"] == ["send_invoice"]
    assert birthmark("search", "sent_inwoyce", cwd=world.root).returncode == 0
