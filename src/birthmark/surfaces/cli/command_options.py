"""Options that several commands have: how long to wait for another writer, and how a server listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])

wait_option = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait while another process writes to the index.",
)


def listen_options(port: int, time_limit: float) -> Callable[[Command], Command]:
    """`host`, `port`, `allowed` and `time_limit`, with a command's own defaults."""
    options = (
        click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to listen on."),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=port,
            show_default=True,
            metavar="N",
            help="Port to listen on; 0 for any free one.",
        ),
        click.option(
            "--allow-host",
            "allowed",
            multiple=True,
            metavar="NAME",
            help="Also accept requests for this host name, as a proxy sends it.",
        ),
        click.option(
            "--time-limit",
            type=click.FloatRange(min=0.1),
            default=time_limit,
            show_default=True,
            metavar="SECONDS",
            help="Abort queries that take longer.",
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
