"""`subscribe`, `subscriptions` and `apply`: what is watched, and what is done about what a scan found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from birthmark.app.scans.feeds import read_feed
from birthmark.app.scans.scanning import apply as apply_scan
from birthmark.app.scans.subscription_repository import StoredSubscription, find_subscriptions, list_subscriptions
from birthmark.app.scans.subscriptions import Subscribed, SubscriptionRequest, act, update_subscription
from birthmark.app.scans.subscriptions import subscribe as make_subscription
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.subscriptions import applied_document, subscribed_document, subscription_document
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import SubscriptionOptions
from birthmark.surfaces.cli.refresh_option import command_sessions
from birthmark.surfaces.cli.struct_options import struct_options
from birthmark.surfaces.cli.terminal.output import json_option, list_options, paging, print_documents, print_json, say
from birthmark.surfaces.cli.terminal.subscription_lists import print_subscription, print_subscriptions, row_of
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.surfaces.text import paint
from birthmark.words import count


@click.command()
@click.argument("ref")
@struct_options(SubscriptionRequest)
@json_option
def subscribe(ref: str, as_json: bool, **options: Any) -> None:
    """Subscribe to changes of REF; its present state is accepted.

    Subscribing again to the same with the same options changes nothing and says so; with other options it makes a
    second subscription.

    REF is a mark, key, semantic id, path::Qualified.name or a unique name for an entity; path:line or
    path:first-last for lines; 'paths::names' with stars for all entities that match. REPOSITORY//REF is one of another
    repository of the same database, as it was last indexed.

    \b
    Examples:
      birthmark subscribe src/app.py::App.run --label "public entry"
      birthmark subscribe src/app.py:10-20
      birthmark subscribe 'api/**::*Controller.*' --team
      birthmark subscribe src/app.py::App --include-members
      birthmark subscribe src/app.py::App.run --users
    """
    with command_sessions().open() as session:
        done = make_subscription(session, SubscriptionRequest(ref, **options))
    if as_json:
        print_json(subscribed_document(done))
    else:
        print_table([row_of(done.subscription)])
    _remark(done)


def _remark(done: Subscribed) -> None:
    """There may be subscriptions to the same."""
    subscription = done.subscription
    if not done.is_new:
        since, id_ = subscription.created_at.partition("T")[0], subscription.id
        inactive = "" if subscription.active else f"; it is inactive: run `birthmark subscriptions reactivate {id_}`"
        say(f"{id_} watches this already, since {since}; what it has accepted stays accepted{inactive}")
    if ids := done.same_target_ids:
        say(f"{', '.join(ids)} {'watches' if len(ids) == 1 else 'watch'} the same with other options")


@click.group(invoke_without_command=True)
@click.option("--all", "with_inactive", is_flag=True, help="List those that are inactive, too.")
@list_options
@click.pass_context
def subscriptions(ctx: click.Context, with_inactive: bool, form: str | None) -> None:
    """List subscriptions; or acknowledge, snooze, deactivate, reactivate, change or delete some.

    Everywhere an ID may be shortened to a beginning that no other one has, of at least three characters after `sub-`.

    \b
    Examples:
      birthmark subscriptions
      birthmark subscriptions --json
      birthmark subscriptions acknowledge sub-7k3q9w2m4x
      birthmark subscriptions snooze 7k3q --until 2w
      birthmark subscriptions feed > feed.xml
      birthmark subscriptions delete sub-7k3q9w2m4x
    """
    if ctx.invoked_subcommand is not None:
        return
    found = list_subscriptions(None)
    shown = found if with_inactive or form is not None else [stored for stored in found if stored.subscription.active]
    if form is not None:
        print_documents(form, (subscription_document(*stored) for stored in shown))
        return
    with paging():
        print_subscriptions(shown)
    if len(shown) < len(found):
        say(f"{count(len(found) - len(shown), 'inactive subscription')} not shown; --all shows all")
    elif not found:
        say("there are no subscriptions; `birthmark subscribe REF` makes one")


@subscriptions.command()
@click.argument("id_", metavar="ID")
@json_option
def show(id_: str, as_json: bool) -> None:
    """Show one subscription."""
    stored = find_subscriptions(None, [id_])[0]
    if as_json:
        print_json(subscription_document(*stored))
    else:
        print_subscription(stored)


@subscriptions.command()
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--address", "server", metavar="URL", help="Print the address that it has at a server, with its key.")
@click.option(
    "--served-from",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Where the server was started, if that is another folder: its token makes the key.",
)
def feed(id_: str | None, server: str | None, served_from: Path | None) -> None:
    """Print what scans have reported of a subscription, or of all, as an Atom feed.

    A change that several scans reported is one entry. With --address, print the address for a feed reader: the key in
    it gives access to that feed alone. The address of a server of many ends with /repositories/NAME.

    \b
    Examples:
      birthmark subscriptions feed > feed.xml
      birthmark subscriptions feed sub-7k3q9w2m4x --address http://127.0.0.1:7433
    """
    found = read_feed(None, id_)
    if server is None:
        from birthmark.surfaces.formats.atom import write_feed

        click.echo(write_feed(found), nl=False)
        return
    from birthmark.surfaces.http.access.feed_keys import feed_address
    from birthmark.surfaces.http.access.token import load_token
    from birthmark.surfaces.web.links import split_repository

    base, prefix = split_repository(server)
    token = load_token(find_workspace(served_from or Path.cwd()).home)
    click.echo(base + feed_address(token, found.subscription.id if found.subscription else None, prefix))


# Actions on some subscriptions: the word when it is done, and the help text.
_ACTIONS = {
    "acknowledge": (
        "acknowledged",
        "Acknowledge what the last scan found: it is not reported again until it changes further.",
    ),
    "deactivate": ("deactivated", "Skip some subscriptions in scans until they are reactivated."),
    "reactivate": ("reactivated", "Scan some subscriptions again; a snooze ends."),
    "delete": ("deleted", "Delete some subscriptions."),
}
_ids_argument = click.argument("ids", nargs=-1, required=True, metavar="ID…")


def _add_action(action: str, done: str, meaning: str) -> None:
    @subscriptions.command(action, help=meaning)
    @_ids_argument
    @json_option
    def run(ids: tuple[str, ...], as_json: bool) -> None:
        _report(act(None, ids, action), done, as_json)


for _action, (_done, _meaning) in _ACTIONS.items():
    _add_action(_action, _done, _meaning)


@subscriptions.command()
@_ids_argument
@click.option("--until", default="1d", show_default=True, help="3d, 12h, 2w, or a date such as 2026-12-31.")
@json_option
def snooze(ids: tuple[str, ...], until: str, as_json: bool) -> None:
    """Mute some subscriptions for a while."""
    _report(act(None, ids, "snooze", until), "snoozed", as_json)


@subscriptions.command()
@click.argument("id_", metavar="ID")
@struct_options(SubscriptionOptions, is_change=True)
@json_option
def change(id_: str, as_json: bool, **options: object) -> None:
    """Change the label, the description or other options of a subscription."""
    changes = {name: value for name, value in options.items() if value is not None}
    if not changes:
        raise BirthmarkError(f"{id_}: name what is to change; `birthmark subscriptions change --help` lists it")
    with open_session() as session:
        changed = update_subscription(session, id_, changes)
    _report([changed], "changed", as_json)


def _report(stored: list[StoredSubscription], done: str, as_json: bool) -> None:
    if as_json:
        print_json([subscription_document(*one) for one in stored])
        return
    for one in stored:
        print_table([(done, *row_of(one.subscription))])


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--dry-run", is_flag=True, help="Print what would be applied, and change nothing.")
@click.option("--scan", "number", type=int, metavar="N", help="Apply what a scan of that number found; else the last.")
@click.option(
    "--from",
    "document",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Apply an update document that `scan --updates` wrote.",
)
@json_option
def apply(ids: tuple[str, ...], dry_run: bool, number: int | None, document: Path | None, as_json: bool) -> None:
    """Accept what the last scan found: path, lines and fingerprints are refreshed together.

    \b
    Examples:
      birthmark apply --dry-run
      birthmark apply
      birthmark apply sub-7k3q9w2m4x
      birthmark apply --from updates.md
    """
    report = None
    if document is not None:
        from birthmark.surfaces.formats.update_document import read_updates

        report, ticked = read_updates(document.read_text("utf-8", "replace"))
        ids = ids or tuple(ticked)
        if not ids:
            raise BirthmarkError(f"{document}: nothing in it is ticked, so there is nothing to apply")
    with open_session() as session:
        done = apply_scan(session, ids, dry_run, report, number)
    if as_json:
        print_json(applied_document(done.applied, done.skipped, dry_run))
        return
    for subscription, _ in done.applied:
        print_table([("would apply" if dry_run else "applied", *row_of(subscription))])
    for id_, reason in done.skipped:
        click.echo(f"{paint('skipped', 'yellow')}  {id_}  {reason}")
    if not done.applied and not done.skipped:
        say("there is nothing to apply")
