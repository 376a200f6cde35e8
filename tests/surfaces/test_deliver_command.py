"""`deliver` as a user meets it, and the letters that it delivers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from birthmark.documents.scans import report_document
from birthmark.errors import BirthmarkError
from birthmark.server.commands.deliver_command import deliver_now
from birthmark.server.delivery.posting import check_names, make_messages
from birthmark.sources.config import MailSettings, Settings, WebhookSettings
from birthmark.sources.trust import TRUST
from birthmark.store.model import Message, StoreLocation
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from birthmark.subscriptions.model import DocLink, Finding, ScanReport
from birthmark.vocabulary import AnchorStatus, DeliveryState, Muted
from receivers import OK, SECRET, answering, receiving, unused_port
from reports import everything, finding, report
from running import birthmark, document

VARIABLE = "BIRTHMARK_TEST_SECRET"
AT = "2026-11-15T12:00:00Z"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: None) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".birthmark").mkdir()
    monkeypatch.setenv(VARIABLE, SECRET)
    return tmp_path


def point(folder: Path, url: str) -> None:
    table = f'[webhooks.chat]\nurl = "{url}"\nsecret_env = "{VARIABLE}"\nallow_private = true\nseconds = 5\n'
    (folder / "birthmark.toml").write_text(table)


def post(folder: Path, *ids: str, **more: str | int) -> None:
    with closing(SqliteSubscriptions(StoreLocation(folder / ".birthmark"))) as store:
        store.post([Message(id_, 1, "chat", b"{}", created_at=AT)._replace(**more) for id_ in ids])  # type: ignore[arg-type]


def states(folder: Path) -> list[tuple[str, str]]:
    return [(message["id"], message["state"]) for message in document("deliver", "--list", cwd=folder)]


def test_what_is_due_is_sent(folder: Path) -> None:
    post(folder, "msg_1", "msg_2")
    with receiving() as receiver:
        point(folder, receiver.url)
        assert birthmark("deliver", cwd=folder) == (0, "delivered 2, failed 0, dead 0\n", "")
        assert birthmark("deliver", cwd=folder) == (0, "", "birthmark: nothing to deliver\n")
    assert [request.id for request in receiver.requests] == ["msg_1", "msg_2"]
    assert states(folder) == [("msg_1", "delivered"), ("msg_2", "delivered")]


def test_what_fails_is_told_and_kept(folder: Path) -> None:
    post(folder, "msg_1")
    with receiving(answering("500 Oops")) as receiver:
        point(folder, receiver.url)
        result = birthmark("deliver", "--exit-code", cwd=folder)
        assert re.fullmatch(
            r"chat  msg_1: answered 500; again at \d{4}-.*Z\ndelivered 0, failed 1, dead 0\n", result.stdout
        )
        assert result.returncode == 1
        later = birthmark("deliver", "--exit-code", cwd=folder)
        assert (later.returncode, later.stdout) == (0, "")
        assert "nothing is due; 1 message to try again later" in later.stderr


def test_dead_letters_are_tried_again_on_request(folder: Path) -> None:
    post(folder, "msg_1", "msg_2", "msg_3", state=DeliveryState.DEAD, attempts=9, error="answered 410")
    with receiving() as receiver:
        point(folder, receiver.url)
        assert birthmark("deliver", cwd=folder).stderr == "birthmark: nothing to deliver\n"
        told = birthmark("deliver", "--retry-dead", "msg_2", cwd=folder)
        assert told == (0, "delivered 1, failed 0, dead 0\n", "birthmark: 1 dead message to try again\n")
        assert states(folder) == [("msg_1", "dead"), ("msg_2", "delivered"), ("msg_3", "dead")]
        again = birthmark("deliver", "--retry-dead", "msg_2", cwd=folder)
        assert (again.returncode, "msg_2 is no dead message" in again.stderr) == (2, True)
        assert document("deliver", "--retry-dead", cwd=folder)["pending"] == 0
        assert "no message is dead" in birthmark("deliver", "--retry-dead", cwd=folder).stderr
    assert sorted(request.id for request in receiver.requests) == ["msg_1", "msg_2", "msg_3"]


def test_messages_are_listed(folder: Path) -> None:
    post(folder, "msg_1")
    post(folder, "msg_2", state=DeliveryState.DEAD, attempts=9, error="answered 410")
    post(folder, "msg_3", state=DeliveryState.PENDING, attempts=1, next_at=1_800_000_000, error="answered 500")
    assert birthmark("deliver", "--list", cwd=folder).stdout == (
        f"msg_1  pending    chat  scan 1  {AT}\n"
        f"msg_2  dead       chat  scan 1  {AT}  9 attempts  answered 410\n"
        f"msg_3  pending    chat  scan 1  {AT}  1 attempt  again at 2027-01-15T08:00:00Z  answered 500\n"
    )
    shown = document("deliver", "--list", cwd=folder)
    assert shown[2] == {
        "id": "msg_3",
        "scan": 1,
        "sink": "chat",
        "state": "pending",
        "attempts": 1,
        "next_at": "2027-01-15T08:00:00Z",
        "error": "answered 500",
        "created_at": AT,
    }
    assert [message["next_at"] for message in shown] == [AT, None, "2027-01-15T08:00:00Z"]


def test_as_json(folder: Path) -> None:
    post(folder, "msg_1")
    with receiving(answering("410 Gone")) as receiver:
        point(folder, receiver.url)
        told = document("deliver", "--exit-code", cwd=folder, code=1)
    assert (told["delivered"], told["failed"], told["pending"]) == ([], [], 0)
    assert [(message["id"], message["state"], message["attempts"]) for message in told["dead"]] == [
        ("msg_1", "dead", 1)
    ]


def test_waiting(folder: Path) -> None:
    post(folder, "msg_1")
    point(folder, f"http://127.0.0.1:{unused_port()}/")
    result = birthmark("deliver", "--wait", "0.1", "--exit-code", cwd=folder)
    assert (result.returncode, "delivered 0, failed 1, dead 0\n" in result.stdout) == (1, True)
    with receiving() as receiver:
        point(folder, receiver.url)
        post(folder, "msg_2")
        result = birthmark("deliver", "--wait", "0.1", cwd=folder)
    assert result.stdout == "delivered 1, failed 0, dead 0\n"
    assert "1 message not due yet" in result.stderr


NOTHING = {
    "no sinks": ([], "nothing to deliver, and no receiver: birthmark.toml has no [webhooks.NAME] or [mail.NAME]"),
    "no messages": (["--list"], "there are no messages; `birthmark scan --notify NAME` makes them"),
    "nothing dead": (["--retry-dead"], "no message is dead"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_to_do_is_one_line(tmp_path: Path, case: str) -> None:
    arguments, line = NOTHING[case]
    result = birthmark("deliver", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert f"birthmark: {line}\n" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["msg_1"], ["--list", "--retry-dead"], ["--list", "--wait", "1"], ["--wait", "-1"]]
)
def test_bad_usage(folder: Path, arguments: list[str]) -> None:
    assert birthmark("deliver", *arguments, cwd=folder).returncode == 2


def test_what_a_repository_asks_for_is_not_sent_unless_it_is_trusted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TRUST)
    point(folder, "https://hook.test/")
    result = birthmark("deliver", cwd=folder)
    assert (result.returncode, result.stdout) == (2, "")
    assert "sets webhooks.chat, which a repository may not; review it with `birthmark trust`" in result.stderr


def test_bad_settings_send_nothing(folder: Path) -> None:
    post(folder, "msg_1")
    (folder / "birthmark.toml").write_text('[webhooks.chat]\nurl = "https://hook.test/"\nsecret = "x"\n')
    result = birthmark("deliver", cwd=folder)
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert states_of(folder) == ["pending"]


def states_of(folder: Path) -> list[str]:
    with closing(SqliteSubscriptions(StoreLocation(folder / ".birthmark"))) as store:
        return [message.state for message in store.messages()]


def test_a_scan_delivers_and_talks_on_stderr(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    post(folder, "msg_1")
    post(folder, "msg_2", sink="other")
    with receiving(answering("500 Oops")) as receiver:
        point(folder, receiver.url)
        deliver_now(["chat"])
    output = capsys.readouterr()
    assert output.out == ""
    assert "msg_1: answered 500; again at" in output.err
    assert "delivered 0, failed 1, dead 0" in output.err
    assert [request.id for request in receiver.requests] == ["msg_1"]


# Letters

SETTINGS = Settings(
    webhooks={"chat": WebhookSettings("https://hook.test/", VARIABLE)},
    mail={"team": MailSettings("mail.test", "a@b.c", ("d@e.f",))},
)
STALE = DocLink("README.md", 3, "shop.py::Cart", AnchorStatus.GONE)
AMBIGUOUS = finding(trigger=None, locations=("a.py:1", "b.py:2"))


def test_letters_of_a_scan() -> None:
    found = everything()
    chat, team = make_messages(found, ["chat", "team", "chat"], SETTINGS)
    assert (chat.sink, team.sink, chat.state, chat.scan) == ("chat", "team", DeliveryState.PENDING, found.scan or 0)
    assert re.fullmatch(r"msg_[a-z2-7]{32}", chat.message)
    assert chat.message != team.message
    body = json.loads(chat.body)
    assert (body["type"], body["timestamp"]) == ("birthmark.scan.triggered", chat.created_at)
    assert body["data"].keys() == set(report_document(found).__struct_fields__)
    assert len(body["data"]["triggers"]) == len(found.triggers)
    letter = json.loads(team.body)
    assert letter.keys() == {"subject", "text"}
    assert letter["subject"].startswith(f"birthmark: {len(found.triggers)} trigger")


COMPARED = "the worktree compared with what was accepted"
SUBJECTS: dict[str, tuple[Callable[[], ScanReport], str]] = {
    "one trigger": (lambda: report(finding()), "Cart.total: interface changed"),
    "ambiguous": (lambda: report(AMBIGUOUS), f"1 ambiguous target; {COMPARED}"),
    "stale": (lambda: report(docs=(STALE,)), f"1 stale link; {COMPARED}"),
    "all": (
        lambda: report(finding(), AMBIGUOUS, docs=(STALE, STALE)),
        f"1 trigger, 1 ambiguous target, 2 stale links; {COMPARED}",
    ),
}


@pytest.mark.parametrize("case", SUBJECTS)
def test_subjects(case: str) -> None:
    make, told = SUBJECTS[case]
    (letter,) = make_messages(make(), ["team"], SETTINGS)
    assert json.loads(letter.body)["subject"] == f"birthmark: {told}"


NOTHING_TO_TELL: list[tuple[Finding, ...]] = [(), (finding(muted=Muted.COSMETIC),), (finding(trigger=None),)]


@pytest.mark.parametrize("findings", NOTHING_TO_TELL)
def test_nothing_to_tell_makes_no_letter(findings: tuple[Finding, ...]) -> None:
    assert make_messages(report(*findings), ["chat", "team"], SETTINGS) == []


@pytest.mark.parametrize(("settings", "there"), [(SETTINGS, "it has chat, team"), (Settings(), "it has none")])
def test_unknown_names(settings: Settings, there: str) -> None:
    for ask in (check_names, lambda names, known: make_messages(report(), names, known)):
        with pytest.raises(BirthmarkError) as told:
            ask(["nobody"], settings)
        assert str(told.value) == f"nobody: birthmark.toml has no [webhooks.nobody] or [mail.nobody]; {there}"


def test_letters_are_delivered(folder: Path) -> None:
    with receiving(OK) as receiver:
        point(folder, receiver.url)
        (letter,) = make_messages(report(finding()), ["chat"], SETTINGS)
        with closing(SqliteSubscriptions(StoreLocation(folder / ".birthmark"))) as store:
            store.post([letter])
        assert birthmark("deliver", cwd=folder).returncode == 0
    (request,) = receiver.requests
    assert (request.id, request.body) == (letter.message, letter.body)
    assert request.is_signed_by(os.environ[VARIABLE])
