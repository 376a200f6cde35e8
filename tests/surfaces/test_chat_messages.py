"""Messages for chats have the shapes that Slack and Teams take, and show hostile names as they are.

What is allowed is written down here by the rules of those two, and shares nothing with what writes messages.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from birthmark.server.delivery.posting import make_messages, write_slack, write_teams
from birthmark.server.delivery.sending import send_message
from birthmark.sources.config import Settings, WebhookSettings
from birthmark.subscriptions.model import Accepted, Finding, ScanReport, Semantic
from birthmark.vocabulary import DeliveryState, WebhookFormat
from receivers import OK, receiving
from reports import everything, finding, prints, report, subscription, trigger

AT = "2026-11-15T12:00:00Z"
HOSTILE = (
    st.sampled_from(
        "<!channel> <@U1> *b* _i_ ~s~ `c` :tada: &amp; <https://x.test|y> {{DATE(2017-02-14T06:08:39Z,SHORT)}} "
        "[t](https://x.test) <at>all</at> @here ```\n\r\0 \u202e \ud800 ${x} @{body()} |".split(" ")
    )
    | st.text(max_size=30)
    | st.text(alphabet='<>&*_~`:{}[]()@!|\\"\n', max_size=30)
)


def named(name: str, number: int = 1) -> Finding:
    id_ = f"sub-{number:010}"
    accepted = Accepted(
        path=f"src/{name}.py", start_line=3, end_line=4, semantic=Semantic("python", "fn", name, prints("x"))
    )
    changed = trigger(id_)
    return finding(subscription=subscription(id_, accepted=accepted, label=name), trigger=changed)


def slack_texts(body: bytes) -> Iterator[str]:
    """Every text of blocks; fails for what Slack would refuse, or would read as more than text."""
    message = json.loads(body)
    assert message.keys() == {"text", "blocks"}
    assert not re.search(r"[<>]|&(?!(?:amp|lt|gt);)", message["text"])
    assert 1 <= len(message["blocks"]) <= 50
    assert len(body) <= 13_000
    header, *others = message["blocks"]
    assert header == {"type": "header", "text": {"type": "plain_text", "text": header["text"]["text"]}}
    assert 1 <= len(header["text"]["text"]) <= 150
    yield html.unescape(message["text"])
    for block in others:
        (section,) = block["elements"]
        assert (block["type"], section["type"]) == ("rich_text", "rich_text_section")
        for element in section["elements"]:
            assert element["type"] == "text"
            assert element.get("style", {}).keys() <= {"bold", "code"}
            assert 1 <= len(element["text"]) <= 3000
        yield "".join(element["text"] for element in section["elements"])


def teams_texts(body: bytes) -> Iterator[str]:
    """Every text of a card; fails for elements that read Markdown, and beyond the size that Teams takes."""
    message = json.loads(body)
    assert len(body) <= 28_000
    (attachment,) = message["attachments"]
    assert (message["type"], attachment["contentType"]) == ("message", "application/vnd.microsoft.card.adaptive")
    card = attachment["content"]
    assert (card["type"], card["version"]) == ("AdaptiveCard", "1.4")
    assert "entities" not in card["msteams"]  # without which nothing is a mention
    for block in card["body"]:
        assert block["type"] == "RichTextBlock"
        for run in block["inlines"]:
            assert run["type"] == "TextRun"
            assert "selectAction" not in run
            assert run["text"]
            assert "{{" not in run["text"]
        yield "".join(run["text"] for run in block["inlines"])


FORMATS: list[tuple[Callable[[ScanReport, str], bytes], Callable[[bytes], Iterator[str]]]] = [
    (write_slack, slack_texts),
    (write_teams, teams_texts),
]


@pytest.mark.parametrize(("write", "texts"), FORMATS)
@given(st.lists(HOSTILE, min_size=1, max_size=5), st.integers(1, 80))
@example(["{"], 3)
def test_hostile_names_are_text(
    write: Callable[[ScanReport, str], bytes], texts: Callable[[bytes], Iterator[str]], names: list[str], times: int
) -> None:
    found = [named(name * times, number) for number, name in enumerate(names)]
    shown = list(texts(write(report(*found, target=names[0]), AT)))
    assert sum("interface changed" in text for text in shown[2:]) == len(found)


@pytest.mark.parametrize(("write", "texts"), FORMATS)
def test_a_message_says_what_triggered(write: Any, texts: Any) -> None:
    shown = list(texts(write(report(named("a<b>&*c*")), AT)))
    assert shown[0] == "birthmark: a<b>&*c*: interface changed"
    assert shown[1] == "1 triggered, 3 unchanged; the worktree compared with what was accepted"
    title, location, note = shown[2].split("\n")
    assert (title, location) == ("a<b>&*c*: interface changed", "shop.py:12-14")
    assert note == "a<b>&*c*; accepted at shop.py:10-11; sub-0000000001"


@pytest.mark.parametrize(("write", "texts"), FORMATS)
def test_documents_and_ambiguous_targets_are_in_it(write: Any, texts: Any) -> None:
    shown = list(texts(write(everything(), AT)))[2:]
    assert len(shown) == 6
    assert any("several could be its successor" in text for text in shown)
    assert any("docs/guide.md:7" in text for text in shown)


@pytest.mark.parametrize(("write", "texts"), FORMATS)
@pytest.mark.parametrize("name", ["f", "漢" * 199, "x" * 5000])
def test_what_does_not_fit_is_counted(write: Any, texts: Any, name: str) -> None:
    shown = list(texts(write(report(*(named(f"{name}{number}", number) for number in range(300))), AT)))
    n_more = re.fullmatch(r"(\d+) more; `birthmark scan` lists all", shown[-1])
    assert n_more is not None
    assert int(n_more[1]) + len(shown[2:-1]) == 300


@pytest.mark.parametrize("form", WebhookFormat)
def test_a_webhook_has_the_format_of_its_settings(form: WebhookFormat) -> None:
    hook = WebhookSettings("https://hook.test/", "BIRTHMARK_X", format=form)
    (message,) = make_messages(everything(), ["chat"], Settings(webhooks={"chat": hook}))
    keys = {WebhookFormat.JSON: "data", WebhookFormat.SLACK: "blocks", WebhookFormat.TEAMS: "attachments"}
    assert keys[form] in json.loads(message.body)


def test_a_chat_is_sent_to_without_a_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its URL is the secret, and comes from the environment."""
    with receiving(OK) as receiver:
        monkeypatch.setenv("BIRTHMARK_CHANNEL", receiver.url)
        hook = WebhookSettings(url_env="BIRTHMARK_CHANNEL", format=WebhookFormat.SLACK, allow_private=True)
        settings = Settings(webhooks={"chat": hook})
        (message,) = make_messages(everything(), ["chat"], settings)
        assert send_message(settings, message, 0.0).state == DeliveryState.DELIVERED
    (request,) = receiver.requests
    assert request.body == message.body
    assert "webhook-signature" not in {name.lower() for name in request.headers}


def test_a_missing_url_is_named_by_its_variable() -> None:
    settings = Settings(webhooks={"chat": WebhookSettings(url_env="BIRTHMARK_NOWHERE", format=WebhookFormat.TEAMS)})
    (message,) = make_messages(everything(), ["chat"], settings)
    assert send_message(settings, message, 0.0).error == "the environment variable BIRTHMARK_NOWHERE is not set"
