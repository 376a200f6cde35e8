"""What pages offer to a person: one whose token is for reading alone is offered nothing to write."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from web_pages import HOST, SECRETS, links_in, posted_to, send_form, shown, text_of

import birthmark.surfaces.web
from asgi import Client
from birthmark.app.workspace.workspace import find_workspace
from birthmark.server.commands.token_commands import add_token
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.web.routes import PAGES
from birthmark.surfaces.web.site import make_site
from browser.serving import make_served_shop, subscription_of
from browser.visits import VISITS, pattern_of

TEMPLATES = Path(birthmark.surfaces.web.__file__).with_name("templates")
FORMS = [page.path for page in PAGES if page.is_form]
FOR_WRITERS = {"deletion"}  # pages that are about writing alone


class Visitors(NamedTuple):
    """Two persons at the pages of one repository."""

    reader: Client
    writer: Client
    subscription: str

    def visit(self, client: Client, name: str, status: int = 200) -> str:
        """Names of definitions lead to the pages of their marks."""
        path, _, query = VISITS[name].format(subscription=self.subscription).partition("?")
        reply = client.send("GET", path, query=query)
        if reply.status == 303:
            path, _, query = reply.headers["location"].partition("?")
            reply = client.send("GET", path, query=query)
        return shown(reply, status)


@pytest.fixture(scope="module")
def visitors(tmp_path_factory: pytest.TempPathFactory) -> Visitors:
    world = make_served_shop(tmp_path_factory.mktemp("served") / "shop")
    (world.root / "shop/money.py").write_text("def round_cents(amount):\n    return amount\n")  # makes a note stale
    reader, writer = (_client(world.root, name, writes=name == "ben") for name in ("anna", "ben"))
    return Visitors(reader, writer, subscription_of(world))


def _client(root: Path, name: str, *, writes: bool) -> Client:
    token = add_token(find_workspace(root), name, writes=writes, repositories=())
    return Client(make_site(root, Hosts.of(7433), SECRETS), [HOST, ("Authorization", f"Bearer {token}")])


@pytest.mark.parametrize("name", [name for name in VISITS if name not in FOR_WRITERS])
def test_a_reader_is_offered_nothing_to_write(visitors: Visitors, name: str) -> None:
    html = visitors.visit(visitors.reader, name)
    assert posted_to(html) == []
    assert SECRETS.form_token_of("anna") not in html
    assert not [link for link in links_in(html) if link.endswith("/delete")]


def test_a_writer_is_offered_every_form(visitors: Visitors) -> None:
    """So the test above would find each of them."""
    addresses = {address for name in VISITS for address in posted_to(visitors.visit(visitors.writer, name))}
    missing = [form for form in FORMS if not any(map(pattern_of(form).fullmatch, addresses))]
    assert missing == []


def test_forms_are_made_in_one_place() -> None:
    """Also those of pages that are visited nowhere here. Strangers may sign in."""
    templates = {path.name: path.read_text("utf-8") for path in TEMPLATES.glob("*.html")}
    assert {name for name, text in templates.items() if "post" in text.lower()} == {"parts.html", "sign_in.html"}


@pytest.mark.parametrize("name", FOR_WRITERS)
def test_a_question_before_writing_is_for_writers(visitors: Visitors, name: str) -> None:
    assert "the token of anna is read-only" in text_of(visitors.visit(visitors.reader, name, 403))
    assert "Delete this subscription?" in text_of(visitors.visit(visitors.writer, name))


def test_a_form_that_a_reader_sends_all_the_same_is_refused(visitors: Visitors) -> None:
    token = SECRETS.form_token_of("anna")
    reply = send_form(visitors.reader, "/notes", token, ref="Basket.price", text="Mine.")
    assert "the token of anna is read-only" in text_of(shown(reply, 403))


def test_a_reader_is_shown_what_a_form_would_show(visitors: Visitors) -> None:
    """The options of a subscription that are set; a writer may set the others as well."""
    options = ("track_decorators", "cosmetic")
    for set_ones in ((), ("cosmetic",), options):
        fields = {"boxes": "true", **dict.fromkeys(set_ones, "true")}
        token = SECRETS.form_token_of("ben")
        assert send_form(visitors.writer, f"/subscriptions/{visitors.subscription}", token, **fields).status == 303
        reader, writer = (text_of(visitors.visit(one, "subscription")) for one in (visitors.reader, visitors.writer))
        assert tuple(option for option in options if option in reader) == set_ones
        assert tuple(option for option in options if option in writer) == options


def test_a_reader_is_shown_the_notes(visitors: Visitors) -> None:
    for client, has_buttons in ((visitors.reader, False), (visitors.writer, True)):
        text = text_of(visitors.visit(client, "notes"))
        assert "the bank rounds again" in text
        assert ("Still true" in text, "Delete this note" in text) == (has_buttons, has_buttons)
