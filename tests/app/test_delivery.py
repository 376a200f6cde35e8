"""Nothing that a scan has to tell is lost, whatever happens to receivers and senders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.app.scans.stored_scans import outbox, retry_dead
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.server.delivery.sending import (
    WAITS,
    Delivered,
    DeliveryOutcome,
    deliver_due,
    deliver_until_done,
    failed,
    send_message,
    sinks,
)
from birthmark.sources.config import MailSettings, Settings, WebhookSettings, load_settings
from birthmark.store.model import Message, StoreLocation
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from birthmark.vocabulary import DeliveryState
from receivers import OK, SECRET, answering, receiving, silent, taking_mail, unused_port

NOW = 1_000_000.0
VARIABLE = "BIRTHMARK_TEST_SECRET"
NOWHERE = Settings()


class Clock:
    """Time that passes when it is slept through."""

    def __init__(self, now: float = NOW) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteSubscriptions]:
    store = SqliteSubscriptions(StoreLocation(tmp_path))
    yield store
    store.close()


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)


def post(store: SqliteSubscriptions, *ids: str, sink: str = "chat", body: bytes = b"{}") -> None:
    store.post([Message(id_, 1, sink, body, created_at="2026-11-15T12:00:00Z") for id_ in ids])


def hooks(url: str, seconds: float = 10.0) -> Settings:
    return Settings(webhooks={"chat": WebhookSettings(url, VARIABLE, allow_private=True, seconds=seconds)})


def always(outcome: DeliveryOutcome) -> Callable[..., DeliveryOutcome]:
    return lambda *_: outcome


def test_a_receiver_that_is_down_and_recovers(store: SqliteSubscriptions) -> None:
    clock = Clock()
    post(store, "msg_1", "msg_2")
    down = deliver_due(store, hooks(f"http://127.0.0.1:{unused_port()}/"), clock)
    assert [message.state for message in down.failed] == [DeliveryState.PENDING, DeliveryState.PENDING]
    with receiving() as receiver:
        settings = hooks(receiver.url)
        assert deliver_due(store, settings, clock) == Delivered()
        clock.sleep(6)
        done = deliver_due(store, settings, clock)
        assert deliver_due(store, settings, clock) == Delivered()
    assert {message.message for message in done.delivered} == {"msg_1", "msg_2"}
    assert [(one.state, one.attempts, one.error) for one in store.messages()] == [
        (DeliveryState.DELIVERED, 2, None)
    ] * 2
    assert sorted(request.id for request in receiver.requests) == ["msg_1", "msg_2"]
    assert all(request.is_signed_by(SECRET) for request in receiver.requests)


def test_a_receiver_that_asks_to_wait_and_recovers(store: SqliteSubscriptions) -> None:
    clock = Clock()
    post(store, "msg_1")
    with receiving(answering("429 Slow down", "Retry-After: 1000")) as receiver:
        assert deliver_due(store, hooks(receiver.url), clock).failed[0].next_at == NOW + 1000
        receiver.answer = OK
        clock.sleep(999)
        assert deliver_due(store, hooks(receiver.url), clock) == Delivered()
        clock.sleep(1)
        assert len(deliver_due(store, hooks(receiver.url), clock).delivered) == 1


def test_a_receiver_that_is_gone(store: SqliteSubscriptions) -> None:
    post(store, "msg_1")
    with receiving(answering("410 Gone")) as receiver:
        (dead,) = deliver_due(store, hooks(receiver.url), Clock()).dead
    assert (dead.state, dead.attempts, store.messages(DeliveryState.DEAD)) == (DeliveryState.DEAD, 1, [dead])


def test_a_message_dies_after_all_attempts_and_can_be_revived(store: SqliteSubscriptions) -> None:
    clock = Clock()
    post(store, "msg_1", "msg_2")
    for _ in range(len(WAITS)):
        assert len(deliver_due(store, NOWHERE, clock).failed) == 2
        clock.sleep(2 * 86400)
    assert len(deliver_due(store, NOWHERE, clock).dead) == 2
    assert deliver_due(store, NOWHERE, clock) == Delivered()
    with pytest.raises(BirthmarkError, match="msg_3 is no dead message"):
        retry_dead(store, ["msg_1", "msg_3"])
    assert [message.message for message in retry_dead(store, ["msg_2"])] == ["msg_2"]
    assert [message.message for message in retry_dead(store)] == ["msg_1"]
    done = deliver_due(store, NOWHERE, clock, always(DeliveryOutcome(DeliveryState.DELIVERED)))
    assert [(one.message, one.attempts) for one in done.delivered] == [("msg_1", 1), ("msg_2", 1)]
    assert retry_dead(store) == []


def test_one_bad_sink_does_not_stop_the_others(store: SqliteSubscriptions) -> None:
    post(store, "msg_0", sink="lost")
    post(store, "msg_1")
    with receiving() as receiver:
        done = deliver_due(store, hooks(receiver.url), Clock())
    assert [message.message for message in done.delivered] == ["msg_1"]
    assert [message.error for message in done.failed] == ["birthmark.toml has no [webhooks.lost] or [mail.lost]"]


def test_sinks_by_name(store: SqliteSubscriptions) -> None:
    post(store, "msg_0", sink="other")
    post(store, "msg_1")
    done = deliver_due(store, NOWHERE, Clock(), always(DeliveryOutcome(DeliveryState.DELIVERED)), names=["chat"])
    assert [message.message for message in done.delivered] == ["msg_1"]
    assert [message.state for message in store.messages()] == [DeliveryState.PENDING, DeliveryState.DELIVERED]


PROBLEMS = {
    "not set": (None, f"the environment variable {VARIABLE} is not set"),
    "no secret": ("hunter2", "a webhook's secret is whsec_ and base64"),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_is_not_set_up_is_told_and_kept(
    store: SqliteSubscriptions, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    value, error = PROBLEMS[case]
    monkeypatch.delenv(VARIABLE) if value is None else monkeypatch.setenv(VARIABLE, value)
    post(store, "msg_1")
    with receiving() as receiver:
        (message,) = deliver_due(store, hooks(receiver.url), Clock()).failed
    assert (message.error, receiver.requests) == (error, [])


def test_mail(store: SqliteSubscriptions, monkeypatch: pytest.MonkeyPatch) -> None:
    post(store, "msg_1", sink="team", body=b'{"subject": "1 trigger", "text": "# Hello"}')
    post(store, "msg_2", sink="team", body=b'{"type": "no letter"}')
    with taking_mail() as server:
        team = MailSettings("127.0.0.1", "a@example.org", ("b@example.org",), security="none", port=server.port)
        done = deliver_due(store, Settings(mail={"team": team}), Clock())
    assert [message.message for message in done.delivered] == ["msg_1"]
    assert [message.error for message in done.failed] == ["Object missing required field `subject`"]
    assert b"Message-ID: <msg_1@example.org>\r\n" in server.letters[0]


def test_mail_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "BIRTHMARK_USER"
    monkeypatch.delenv(name, raising=False)
    team = MailSettings("127.0.0.1", "a@b.c", ("d@e.f",), user_env=name, password_env=name)
    message = Message("msg_1", 1, "team", b'{"subject": "", "text": ""}')
    outcome = send_message(Settings(mail={"team": team}), message, NOW)
    assert outcome == failed("the environment variable BIRTHMARK_USER is not set")


# Several senders, and some that do not live to see the end


def test_whoever_stops_in_the_middle_leaves_it_pending(store: SqliteSubscriptions) -> None:
    def stop(*_: object) -> DeliveryOutcome:
        raise KeyboardInterrupt

    clock = Clock()
    post(store, "msg_1", "msg_2")
    with pytest.raises(KeyboardInterrupt):
        deliver_due(store, NOWHERE, clock, stop)
    assert [message.message for message in store.due(clock())] == ["msg_2"]
    clock.sleep(60)
    assert [(message.message, message.attempts) for message in store.due(clock())] == [("msg_2", 0), ("msg_1", 0)]


def test_senders_share_the_work(tmp_path: Path) -> None:
    sent: list[str] = []
    first = SqliteSubscriptions(StoreLocation(tmp_path))
    post(first, *(f"msg_{number:02}" for number in range(20)))
    stores = [first, *(SqliteSubscriptions(first.location) for _ in range(3))]
    ready = threading.Barrier(len(stores))

    def send(_: Settings, message: Message, __: float) -> DeliveryOutcome:
        sent.append(message.message)
        return DeliveryOutcome(DeliveryState.DELIVERED)

    def work(store: SqliteSubscriptions) -> None:
        ready.wait(30)
        deliver_due(store, NOWHERE, Clock(), send)

    threads = [threading.Thread(target=work, args=[store]) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(Counter(sent).values()) == {1}
    assert {message.state for message in first.messages()} == {DeliveryState.DELIVERED}
    assert len(sent) == 20
    for store in stores:
        store.close()


def test_a_slow_failure_does_not_undo_a_delivery(store: SqliteSubscriptions) -> None:
    """A sender that slept through its claim comes back after another has delivered."""
    clock = Clock()
    post(store, "msg_1")

    def sleep_and_fail(*_: object) -> DeliveryOutcome:
        clock.sleep(3600)
        assert len(deliver_due(store, NOWHERE, clock, always(DeliveryOutcome(DeliveryState.DELIVERED))).delivered) == 1
        return failed("too late")

    deliver_due(store, NOWHERE, clock, sleep_and_fail)
    assert [(message.state, message.error) for message in store.messages()] == [(DeliveryState.DELIVERED, None)]


def test_killed_in_mid_delivery(tmp_path: Path, trusted: None) -> None:
    """The receiver has it, the sender is killed before it knows: it is sent again under the same id."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".birthmark").mkdir()
    with receiving(silent) as receiver:
        table = f'[webhooks.chat]\nurl = "{receiver.url}"\nsecret_env = "{VARIABLE}"\nallow_private = true\n'
        (tmp_path / "birthmark.toml").write_text(table)
        with closing(SqliteSubscriptions(StoreLocation(tmp_path / ".birthmark"))) as store:
            post(store, "msg_1", "msg_2", body=b'{"n": 1}')
            sender = subprocess.Popen(
                [sys.executable, "-m", "birthmark", "deliver"], cwd=tmp_path, env=os.environ, stderr=subprocess.PIPE
            )
            assert receiver.arrived.wait(60)
            sender.send_signal(signal.SIGKILL)
            sender.communicate(timeout=60)
            assert [(one.state, one.attempts) for one in store.messages()] == [(DeliveryState.PENDING, 0)] * 2
            receiver.answer = OK
            settings, later = load_settings(tmp_path), time.time() + 3600
            done = deliver_due(store, settings, lambda: later)
    assert sorted(message.message for message in done.delivered) == ["msg_1", "msg_2"]
    assert Counter(request.id for request in receiver.requests) == {"msg_1": 2, "msg_2": 1}
    assert {request.body for request in receiver.requests} == {b'{"n": 1}'}
    assert all(request.is_signed_by(SECRET) for request in receiver.requests)


VERDICTS = st.lists(st.sampled_from([*DeliveryState, None]), max_size=30)


@given(st.lists(VERDICTS, min_size=1, max_size=4))
def test_every_message_ends_delivered_or_dead_or_is_still_tried(scripts: list[list[DeliveryState | None]]) -> None:
    """Each message has its luck: verdicts in order, None for a sender that dies in the attempt, then delivery."""
    with TemporaryDirectory() as folder, closing(SqliteSubscriptions(StoreLocation(Path(folder)))) as store:
        store.connection.execute("PRAGMA synchronous = OFF")
        check_luck(store, scripts)


def check_luck(store: SqliteSubscriptions, scripts: list[list[DeliveryState | None]]) -> None:
    clock = Clock()
    luck = {f"msg_{number}": iter(script) for number, script in enumerate(scripts)}
    heard: Counter[str] = Counter()

    def send(_: Settings, message: Message, __: float) -> DeliveryOutcome:
        verdict = next(luck[message.message], DeliveryState.DELIVERED)
        if verdict is None:
            raise KeyboardInterrupt
        heard[message.message] += verdict is DeliveryState.DELIVERED
        return DeliveryOutcome(verdict)

    post(store, *luck)
    for _ in range(200):
        try:
            deliver_due(store, NOWHERE, clock, send)
        except KeyboardInterrupt:
            assert len(store.messages()) == len(luck)
        clock.sleep(30 * 3600)
    assert store.messages(DeliveryState.PENDING) == []
    assert heard == Counter(message.message for message in store.messages(DeliveryState.DELIVERED))
    for dead in store.messages(DeliveryState.DEAD):
        assert DeliveryState.DEAD in scripts[int(dead.message[4:])] or dead.attempts == len(WAITS) + 1


# Waiting


def test_waiting_until_all_is_delivered(store: SqliteSubscriptions) -> None:
    clock, answers = Clock(), iter([failed("no"), failed("no"), DeliveryOutcome(DeliveryState.DELIVERED)])
    post(store, "msg_1")
    done = deliver_until_done(store, NOWHERE, 3600, clock, lambda *_: next(answers), clock.sleep)
    assert [(one.message, one.attempts) for one in done.delivered] == [("msg_1", 3)]
    assert (done.failed, done.dead) == ((), ())
    assert 35 <= clock() - NOW < 60


def test_waiting_ends(store: SqliteSubscriptions) -> None:
    clock = Clock()
    post(store, "msg_1")
    done = deliver_until_done(store, NOWHERE, 20, clock, always(failed("no")), clock.sleep)
    assert ([one.error for one in done.failed], done.delivered, done.dead) == (["no"], (), ())
    assert clock() - NOW == pytest.approx(20)


# Settings


def test_no_outbox_is_made_by_asking(tmp_path: Path) -> None:
    with outbox(find_workspace(tmp_path)) as store:
        assert store is None
    assert not (tmp_path / ".birthmark").exists()


HOOK = '[webhooks.chat]\nurl = "https://hook.test/"\nsecret_env = "BIRTHMARK_HOOK"\n'
MAIL = '[mail.team]\nhost = "mail.test"\nsender = "a@b.c"\nto = ["d@e.f"]\n'


def load(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "birthmark.toml").write_text(text)
    return load_settings(tmp_path)


def test_settings(tmp_path: Path, trusted: None) -> None:
    settings = load(tmp_path, f'{HOOK}{MAIL}port = 25\nsecurity = "none"\n[subscriptions.x]\ny = 1\n')
    assert settings.webhooks["chat"] == WebhookSettings("https://hook.test/", "BIRTHMARK_HOOK")
    assert settings.mail["team"] == MailSettings("mail.test", "a@b.c", ("d@e.f",), security="none", port=25)
    assert sinks(settings) == ["chat", "team"]


BAD_SETTINGS = {
    f"{HOOK}sekret = 1\n": "unknown field `sekret`",
    f"{MAIL}tls = true\n": "unknown field `tls`",
    '[webhooks.chat]\nurl = "https://hook.test/"\n': "webhooks.chat has no secret_env",
    '[webhooks.chat]\nformat = "slack"\n': "webhooks.chat must have either url or url_env",
    f'{HOOK}url_env = "BIRTHMARK_URL"\n': "webhooks.chat must have either url or url_env",
    '[webhooks.chat]\nformat = "slack"\nurl_env = "HOME"\n': "BIRTHMARK_",
    f'{HOOK}format = "irc"\n': "format",
    HOOK.replace("BIRTHMARK_HOOK", "AWS_SECRET_ACCESS_KEY"): "BIRTHMARK_",
    f'{MAIL}user_env = "BIRTHMARK_U"\npassword_env = "GITHUB_TOKEN"\n': "BIRTHMARK_",
    HOOK.replace("https:", "ftp:"): "https?://",
    HOOK.replace("hook.test", "user:pass@hook.test"): "https?://",
    f"{HOOK}seconds = 0\n": "seconds",
    f"{HOOK}seconds = 1e9\n": "seconds",
    HOOK.replace(".chat", '."a b"'): "webhooks",
    f"{MAIL}port = 70000\n": "port",
    f'{MAIL}security = "ssl"\n': "security",
    MAIL.replace('"d@e.f"', ""): "length >= 1",
    MAIL.replace("a@b.c", "a@b.c\\nBcc: x@y.z"): "sender",
    MAIL.replace("d@e.f", "d@e.f, g@h.i"): "to",
    f"{HOOK}{MAIL.replace('team', 'chat')}": "share a name",
    f'{MAIL}user_env = "BIRTHMARK_U"\n': "give both, or none",
    f'{MAIL}security = "none"\nuser_env = "BIRTHMARK_U"\npassword_env = "BIRTHMARK_P"\n': "in the clear",
}


@pytest.mark.parametrize("text", BAD_SETTINGS)
def test_bad_settings_are_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(BirthmarkError) as told:
        load(tmp_path, text)
    assert BAD_SETTINGS[text] in str(told.value)
    assert "\n" not in str(told.value)
