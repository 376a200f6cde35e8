"""`subscribe`, `subscriptions` and `apply`: what is watched, and what is done about what a scan found."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from birthmark.app.scans.subscription_states import read_feed
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.subscriptions import AppliedDocument, SubscribedDocument, SubscriptionDocument
from birthmark.errors import BirthmarkError
from birthmark.questions.question import make_question
from birthmark.questions.scans import Apply
from birthmark.questions.subscriptions import (
    Acknowledge,
    ChangeSubscription,
    Deactivate,
    DeleteSubscription,
    ListSubscriptions,
    Reactivate,
    ShowSubscription,
    Snooze,
    Subscribe,
    SubscriptionAction,
    SubscriptionChange,
)
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.cli.question_command import (
    Values,
    common_options,
    help_of,
    open_for_command,
    options_of,
    question_command,
    values_of,
)
from birthmark.surfaces.cli.terminal.output import paging, print_json, say
from birthmark.surfaces.cli.terminal.subscription_lists import print_subscription, print_subscriptions, row_of
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.surfaces.text import paint
from birthmark.words import count


def _print_subscribed(asked: Subscribe, done: SubscribedDocument) -> None:
    """There may be subscriptions to the same."""
    print_table([row_of(done)])
    if not done.created:
        since = done.created_at.partition("T")[0]
        inactive = "" if done.active else f"; it is inactive: run `birthmark subscriptions reactivate {done.id}`"
        say(f"{done.id} watches this already, since {since}; what it has accepted stays accepted{inactive}")
    if ids := done.same_target_ids:
        say(f"{', '.join(ids)} {'watches' if len(ids) == 1 else 'watch'} the same with other options")


subscribe = question_command(Subscribe, _print_subscribed, pages=False)


# All subscriptions


def _print_listed(asked: ListSubscriptions, rows: Iterator[SubscriptionDocument], *, with_inactive: bool) -> None:
    found = list(rows)
    shown = [one for one in found if with_inactive or one.active]
    with paging():
        print_subscriptions(shown)
    if len(shown) < len(found):
        say(f"{count(len(found) - len(shown), 'inactive subscription')} not shown; --all shows all")
    elif not found:
        say("there are no subscriptions; `birthmark subscribe REF` makes one")


_ALL = click.Option(["--all", "with_inactive"], is_flag=True, help="List those that are inactive, too.")
_list = question_command(ListSubscriptions, _print_listed, options=[_ALL], pages=False)


def _list_unless_called(**given: object) -> None:
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
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None and _list.callback is not None:
        _list.callback(**given)


subscriptions = click.Group(
    None,
    invoke_without_command=True,
    callback=_list_unless_called,
    params=_list.params,
    help=cleandoc(_list_unless_called.__doc__ or ""),
)


# One subscription


subscriptions.add_command(
    question_command(ShowSubscription, lambda asked, found: print_subscription(found), pages=False), "show"
)


@subscriptions.command()
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--address", "server", metavar="URL", help="Print the address that it has at a server, with its key.")
@click.option(
    "--served-from",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Folder in which the server was started, if not this one; its token makes the key.",
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
    found = read_feed(find_workspace(Path.cwd()), id_)
    if server is None:
        from birthmark.surfaces.formats.atom import write_feed

        click.echo(write_feed(found), nl=False)
        return
    from birthmark.surfaces.http.access.token import feed_address, load_token
    from birthmark.surfaces.web.links import split_repository

    base, prefix = split_repository(server)
    token = load_token(find_workspace(served_from or Path.cwd()).home)
    click.echo(base + feed_address(token, found.subscription.id if found.subscription else None, prefix))


# Actions on some subscriptions: the word when it is done, the help text, and the options.
_UNTIL = click.Option(["--until"], default="1d", show_default=True, help="3d, 12h, 2w, or a date such as 2026-12-31.")
_ACTIONS: dict[type[SubscriptionAction], tuple[str, str, list[click.Option]]] = {
    Acknowledge: (
        "acknowledged",
        "Acknowledge what the last scan found: it is not reported again until it changes further.",
        [],
    ),
    Deactivate: ("deactivated", "Skip some subscriptions in scans until they are reactivated.", []),
    Reactivate: ("reactivated", "Scan some subscriptions again; a snooze ends.", []),
    DeleteSubscription: ("deleted", "Delete some subscriptions.", []),
    Snooze: ("snoozed", "Mute some subscriptions for a while.", [_UNTIL]),
}


def _action_command(kind: type[SubscriptionAction], done: str, text: str, options: list[click.Option]) -> click.Command:
    def run(ids: tuple[str, ...], form: str | None, **given: object) -> None:
        with open_for_command(refreshes=False) as session:
            found = make_question(kind, {"id": ids[0], **given}).act_on(session, list(ids))
        if form is not None:
            print_json(found)
            return
        for one in found:
            print_table([(done, *row_of(one))])

    ids = click.Argument(["ids"], nargs=-1, required=True, metavar="ID…")
    return click.Command(None, callback=run, params=[ids, *options, *common_options(kind)], help=text)


for _kind, _spec in _ACTIONS.items():
    subscriptions.add_command(_action_command(_kind, *_spec), _kind.action)


def _change(form: str | None, **given: object) -> None:
    changes = values_of(ChangeSubscription, given)
    if len(changes) == 1:  # the id
        raise BirthmarkError(
            f"{changes['id']}: name what is to change; `birthmark subscriptions change --help` lists it"
        )
    with open_for_command(refreshes=False) as session:
        changed = make_question(ChangeSubscription, changes).answer(session)
    if form is not None:
        print_json([changed])
    else:
        print_table([("changed", *row_of(changed))])


subscriptions.add_command(
    click.Command(
        None,
        callback=_change,
        params=[*options_of(ChangeSubscription), *common_options(ChangeSubscription)],
        help=help_of(SubscriptionChange),
    ),
    "change",
)


# Accept


def _apply(form: str | None, document: Path | None, **given: object) -> None:
    values, report = values_of(Apply, given), None
    if document is not None:
        report, values["ids"] = _read_updates(document, values)
    asked = make_question(Apply, values)
    with open_for_command(refreshes=False) as session:
        done = asked.accept(session, report)
    if form is not None:
        print_json(done)
    else:
        _print_applied(asked, done)


def _read_updates(document: Path, values: Values) -> tuple[ScanReport, list[str]]:
    """The report, and the subscriptions that were named or ticked."""
    from birthmark.surfaces.formats.update_document import read_updates

    report, ticked = read_updates(document.read_text("utf-8", "replace"))
    ids = values.get("ids") or list(ticked)
    if not ids:
        raise BirthmarkError(f"{document}: nothing in it is ticked, so there is nothing to apply")
    return report, ids


def _print_applied(asked: Apply, done: AppliedDocument) -> None:
    for one in done.applied:
        print_table([("would apply" if asked.dry_run else "applied", *row_of(one))])
    for skipped in done.skipped:
        click.echo(f"{paint('skipped', 'yellow')}  {skipped.subscription_id}  {skipped.reason}")
    if not done.applied and not done.skipped:
        say("there is nothing to apply")


_FROM = click.Option(
    ["--from", "document"],
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Apply an update document that `scan --updates` wrote.",
)
apply = click.Command(
    None, callback=_apply, params=[*options_of(Apply), _FROM, *common_options(Apply)], help=help_of(Apply)
)
