"""Deliver the messages of scans, and retry those that failed.

A message is claimed for a short while before it is sent and settled right after. If the process is killed in between,
the message stays pending and comes due again with the same id: it is sent at least once, and a receiver can recognize
it. `after_attempt` is pure: the time is an argument, and so is the jitter that keeps many senders from retrying at the
same moment.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection
from typing import NamedTuple

import msgspec

from birthmark.decoding import prepared
from birthmark.sources.config import CONFIG_FILE, Settings
from birthmark.store.model import Message
from birthmark.store.port import SubscriptionStore
from birthmark.vocabulary import DeliveryState


class DeliveryOutcome(NamedTuple):
    """The state of a message after an attempt: PENDING if it failed, DEAD if the receiver accepts no more messages.

    Also why it failed in one line, and how many seconds the receiver requests to wait.
    """

    state: DeliveryState
    error: str | None = None
    retry_after: float | None = None


Send = Callable[[Settings, Message, float], DeliveryOutcome]  # what to do with a message at this time
_CLAIM_MARGIN = 30.0  # seconds beyond what an attempt may take
_POLL = 1.0  # seconds, for what others post or give up meanwhile


class Delivered(NamedTuple):
    """The messages that were due, grouped by result, each in its new state."""

    delivered: tuple[Message, ...] = ()
    failed: tuple[Message, ...] = ()
    dead: tuple[Message, ...] = ()


class MailBody(msgspec.Struct, frozen=True):
    """The body of a message to a mailbox."""

    subject: str
    text: str


def sinks(settings: Settings) -> list[str]:
    return sorted([*settings.webhooks, *settings.mail])


def send_message(settings: Settings, message: Message, now: float) -> DeliveryOutcome:
    """One attempt, by the way that its sink is set up for now."""
    if hook := settings.webhooks.get(message.sink):
        from birthmark.server.delivery.webhooks import send_webhook

        return send_webhook(hook, message.message, message.body, now=now)
    if mailbox := settings.mail.get(message.sink):
        from birthmark.server.delivery.mail import send_mail

        try:
            mail = msgspec.json.decode(message.body, type=prepared(MailBody))
        except msgspec.DecodeError as error:
            return failed(str(error))
        return send_mail(mailbox, message.message, mail.subject, mail.text, now=now)
    return failed(f"{CONFIG_FILE} has no [webhooks.{message.sink}] or [mail.{message.sink}]")


def deliver_due(
    store: SubscriptionStore,
    settings: Settings,
    now: Callable[[], float] = time.time,
    send: Send = send_message,
    names: Collection[str] | None = None,
) -> Delivered:
    """Try every message that is due, or those to the sinks that are named."""
    settled = [
        _attempt(store, settings, message, now, send)
        for message in store.due(now())
        if (names is None or message.sink in names) and _claim(store, settings, message, now())
    ]
    return _sorted_out(settled)


def deliver_until_done(
    store: SubscriptionStore,
    settings: Settings,
    seconds: float,
    now: Callable[[], float] = time.time,
    send: Send = send_message,
    sleep: Callable[[float], None] = time.sleep,
) -> Delivered:
    """Keep trying until nothing is pending, or time is over."""
    end, settled = now() + seconds, dict[str, Message]()
    while True:
        for messages in deliver_due(store, settings, now, send):
            settled |= {message.message: message for message in messages}
        pending = store.messages(DeliveryState.PENDING)
        left = end - now()
        if not pending or left <= 0:
            return _sorted_out(settled.values())
        due = min(message.next_at for message in pending) - now()
        sleep(max(0.0, min(due, left, _POLL)))


def _attempt(
    store: SubscriptionStore, settings: Settings, message: Message, now: Callable[[], float], send: Send
) -> Message:
    outcome = send(settings, message, now())
    message = after_attempt(message, outcome, now(), secrets.randbelow(1000) / 1000)
    store.settle(message)
    return message


def _claim(store: SubscriptionStore, settings: Settings, message: Message, now: float) -> bool:
    sink = settings.webhooks.get(message.sink) or settings.mail.get(message.sink)
    return store.claim(message.message, now, now + _CLAIM_MARGIN + (sink.seconds if sink else 0.0))


def _sorted_out(messages: Collection[Message]) -> Delivered:
    by_state = [
        tuple(one for one in messages if one.state == state)
        for state in (DeliveryState.DELIVERED, DeliveryState.PENDING, DeliveryState.DEAD)
    ]
    return Delivered(*by_state)


WAITS = (5.0, 30.0, 120.0, 900.0, 3600.0, 4 * 3600.0, 12 * 3600.0, 24 * 3600.0)
LONGEST_WAIT = 24 * 3600.0  # that a receiver may request
_SPREAD = 0.2
_LONGEST_ERROR = 300


def after_attempt(message: Message, outcome: DeliveryOutcome, now: float, jitter: float = 0.0) -> Message:
    """A message as it is after one more attempt. `jitter` is between 0 and 1."""
    done = message._replace(state=outcome.state, attempts=message.attempts + 1, next_at=now, error=outcome.error)
    if outcome.state is not DeliveryState.PENDING:
        return done
    if message.attempts >= len(WAITS):
        return done._replace(state=DeliveryState.DEAD)
    wait = WAITS[message.attempts] * (1 + _SPREAD * jitter)
    return done._replace(next_at=now + max(wait, min(outcome.retry_after or 0.0, LONGEST_WAIT)))


def failed(error: str, retry_after: float | None = None) -> DeliveryOutcome:
    return DeliveryOutcome(DeliveryState.PENDING, one_line(error), retry_after)


def one_line(text: str) -> str:
    """Foreign text, cut to a limit and without control characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}…"


def read_variable(name: str | None) -> str:
    """Return a secret of the environment; ValueError if it is not set."""
    value = os.environ.get(name or "")
    if not value:
        raise ValueError(f"the environment variable {name or ''} is not set")
    return value
