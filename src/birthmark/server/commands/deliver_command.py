"""`deliver`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import click

from birthmark.app.scans.stored_scans import list_messages, retry_messages
from birthmark.documents.document import Document, doc
from birthmark.documents.scans import MessageDocument, message_document, next_attempt
from birthmark.server.delivery.posting import deliver_messages, posting
from birthmark.server.delivery.sending import Delivered
from birthmark.store.model import Message
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say
from birthmark.surfaces.text import paint
from birthmark.vocabulary import DeliveryState
from birthmark.words import count

_NO_SINKS = "nothing to deliver, and no receiver: birthmark.toml has no [webhooks.NAME] or [mail.NAME]"
_COLORS = {"delivered": "green", "pending": "yellow", "dead": "red"}
__all__ = ["deliver", "deliver_now", "posting"]


class DeliveryDocument(Document, frozen=True):
    """The result of sending the messages that were due."""

    delivered: list[MessageDocument]
    failed: Annotated[list[MessageDocument], doc("to be retried")]
    dead: Annotated[list[MessageDocument], doc("given up")]
    pending: Annotated[int, doc("how many messages are still to be sent")]


@click.command()
@click.argument("ids", nargs=-1, metavar="[MESSAGE]...")
@click.option("--list", "is_list", is_flag=True, help="List all messages with their state; send nothing.")
@click.option("--retry-dead", "is_retry", is_flag=True, help="Try dead messages again: those named, or all.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Keep trying for at most this long, until nothing is pending.",
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if something could not be delivered.")
@json_option
@click.pass_context
def deliver(
    ctx: click.Context,
    ids: tuple[str, ...],
    is_list: bool,
    is_retry: bool,
    wait: float | None,
    exit_code: bool,
    as_json: bool,
) -> None:
    """Send the messages of scans that are due, by webhook and e-mail.

    `scan --notify NAME` stores a message for each webhook or mailbox of the settings together with the scan, and sends
    what is due. A message that could not be delivered is due again after 5 s, 30 s, 2 min, 15 min, 1 h, 4 h, 12 h and
    24 h, or later if the receiver requests it (Retry-After, up to a day). After nine attempts, or an answer of 410, it
    is dead. Nothing runs by itself: run `deliver` regularly. It and `scan --notify` are the only commands that use the
    network.

    A message may arrive twice, if its sender was stopped between sending and recording it; it then has the same id. Any
    answer from 200 to 299 is a delivery. Several `deliver` may run at once.

    \b
    Examples:
      birthmark deliver
      birthmark deliver --wait 60 --exit-code
      birthmark deliver --list
      birthmark deliver --retry-dead msg_mfzwizlsonrxizlo
    """
    if ids and not is_retry:
        raise click.UsageError("messages are named for --retry-dead only")
    if is_list and (is_retry or wait is not None):
        raise click.UsageError("--list cannot be combined with --retry-dead and --wait")
    folder = Path.cwd()
    if is_list:
        _show(list_messages(folder), as_json)
        return
    if is_retry:
        n_retried = retry_messages(folder, ids)
        say(f"{count(n_retried, 'dead message')} to try again" if n_retried else "no message is dead")
    done, n_pending, has_sinks = deliver_messages(folder, wait)
    if as_json:
        print_json(delivery_document(done, n_pending))
    elif any(done):
        _print_done(done, n_pending)
    elif n_pending:
        say(f"nothing is due; {count(n_pending, 'message')} to try again later, `birthmark deliver --list` says when")
    else:
        say("nothing to deliver" if has_sinks else _NO_SINKS)
    if exit_code and (done.failed or done.dead):
        ctx.exit(1)


def deliver_now(names: Collection[str] | None = None) -> None:
    """For a scan that notifies: send what is due, to the named sinks or to all; what fails is retried later."""
    done, *_ = deliver_messages(Path.cwd(), names=names)
    for message in (*done.failed, *done.dead):
        say(_failure(message))
    if any(done):
        say(_counts(done))
    if done.failed:
        say("run `birthmark deliver` to try again")


def delivery_document(done: Delivered, n_pending: int) -> DeliveryDocument:
    delivered, failed, dead = ([message_document(message) for message in messages] for messages in done)
    return DeliveryDocument(delivered, failed, dead, n_pending)


def _print_done(done: Delivered, n_pending: int) -> None:
    for message in (*done.failed, *done.dead):
        click.echo(_failure(message))
    click.echo(_counts(done))
    others = n_pending - len(done.failed)
    if others > 0:
        say(f"{count(others, 'message')} not due yet; `birthmark deliver --list` says when")


def _failure(message: Message) -> str:
    again = f"again at {next_attempt(message)}" if message.state == DeliveryState.PENDING else "dead until --retry-dead"
    return f"{message.sink}  {message.message}: {message.error}; {again}"


def _counts(done: Delivered) -> str:
    return f"delivered {len(done.delivered):,}, failed {len(done.failed):,}, dead {len(done.dead):,}"


def _show(messages: list[Message], as_json: bool) -> None:
    if as_json:
        print_json([message_document(message) for message in messages])
        return
    if not messages:
        say("there are no messages; `birthmark scan --notify NAME` makes them")
    width = max((len(message.sink) for message in messages), default=0)
    for message in messages:
        state = paint(message.state.ljust(len("delivered")), _COLORS[message.state])
        line = f"{message.message}  {state}  {message.sink.ljust(width)}  scan {message.scan}  {message.created_at}"
        click.echo(f"{line}{_trouble(message)}")


def _trouble(message: Message) -> str:
    tried = f"  {count(message.attempts, 'attempt')}" if message.attempts else ""
    again = f"  again at {next_attempt(message)}" if message.state == DeliveryState.PENDING and message.attempts else ""
    return tried + again + (f"  {message.error}" if message.error else "")
