"""`subscribe`, `subscriptions` and `apply`: wishes to be told, and what is done about what was told."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.app.scanning import apply as apply_scan
from birthmark.app.subscription_repository import StoredSubscription, find_subscriptions, list_subscriptions
from birthmark.app.subscriptions import SubscriptionRequest, act, update_subscription
from birthmark.app.subscriptions import subscribe as make_subscription
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import Subscription
from birthmark.surfaces import wire_scan
from birthmark.surfaces.cli.output import json_option, lines_of, list_options, print_json, print_list, say
from birthmark.surfaces.text import count, paint
from birthmark.vocabulary import SubscriptionTarget


@click.command()
@click.argument("ref")
@click.option("--label", help="A few words that every report shows.")
@click.option("--description", help="Why it matters, for whoever reads the report.")
@click.option("--entity", is_flag=True, help="Take path:line for the entity that stands there.")
@click.option("--include-members", is_flag=True, help="Tell of each member of a container, also of inherited ones.")
@click.option("--include-private", is_flag=True, help="Tell of private members, too.")
@click.option("--no-inherited", is_flag=True, help="Leave out members that are inherited.")
@click.option("--no-track-decorators", is_flag=True, help="Pass over decorators and annotations.")
@click.option("--trigger-on-duplicate", is_flag=True, help="Trigger if it is gone and several could be it.")
@click.option("--users", is_flag=True, help="Tell of those who call, import or inherit it.")
@click.option("--cosmetic", is_flag=True, help="Tell of formatting, comments and documentation, too.")
@click.option("--at", "revision", metavar="REV", help="Accept it as it is at a revision; else as in the worktree.")
@click.option("--team", is_flag=True, help="Keep it in birthmark.toml, for all who have the repository.")
@json_option
def subscribe(
    ref: str,
    label: str | None,
    description: str | None,
    entity: bool,
    include_members: bool,
    include_private: bool,
    no_inherited: bool,
    no_track_decorators: bool,
    trigger_on_duplicate: bool,
    users: bool,
    cosmetic: bool,
    revision: str | None,
    team: bool,
    as_json: bool,
) -> None:
    """Ask to be told when REF changes; as it is now, it is accepted.

    REF is a mark, key, semantic id, path::Qualified.name or a unique name for an entity; path:line or
    path:first-last for lines; 'paths::names' with stars for all entities that match.

    \b
    Examples:
      birthmark subscribe src/app.py::App.run --label "public entry"
      birthmark subscribe src/app.py:10-20
      birthmark subscribe 'api/**::*Controller.*' --team
      birthmark subscribe src/app.py::App --include-members
      birthmark subscribe src/app.py::App.run --users
    """
    wish = SubscriptionRequest(
        ref,
        label,
        description,
        trigger_on_duplicate,
        include_members,
        include_private,
        not no_inherited,
        not no_track_decorators,
        cosmetic,
        users,
        entity,
        revision,
        team,
    )
    kept = make_subscription(None, wish)
    if as_json:
        print_json(wire_scan.subscription_document(*kept))
    else:
        click.echo(f"{kept.subscription.id}  {_about(kept.subscription)}")


@click.group(invoke_without_command=True)
@click.option("--all", "with_inactive", is_flag=True, help="List those that are inactive, too.")
@list_options
@click.pass_context
def subscriptions(ctx: click.Context, with_inactive: bool, form: str | None) -> None:
    """List subscriptions; or acknowledge, snooze, deactivate, reactivate, change or delete some.

    \b
    Examples:
      birthmark subscriptions
      birthmark subscriptions --json
      birthmark subscriptions acknowledge sub-7k3q9w2m4x
      birthmark subscriptions snooze sub-7k3q9w2m4x --until 2w
      birthmark subscriptions delete sub-7k3q9w2m4x
    """
    if ctx.invoked_subcommand is not None:
        return
    found = list_subscriptions(None)
    shown = found if with_inactive or form is not None else [kept for kept in found if kept.subscription.active]
    print_list(form, (wire_scan.subscription_document(*kept) for kept in shown), lambda: map(_row, shown))
    if form is None and len(shown) < len(found):
        say(f"{count(len(found) - len(shown), 'inactive subscription')} not shown; --all shows all")
    elif form is None and not found:
        say("there are no subscriptions; `birthmark subscribe REF` makes one")


@subscriptions.command()
@click.argument("id_", metavar="ID")
@json_option
def show(id_: str, as_json: bool) -> None:
    """Show one subscription."""
    kept = find_subscriptions(None, [id_])[0]
    document = wire_scan.subscription_document(*kept)
    if as_json:
        print_json(document)
        return
    for name, value in document.items():
        if value not in (None, False, [], {}) and name not in ("semantic", "anchors", "members"):
            click.echo(f"{name:20}  {value}")


# What is done to some subscriptions: the word when it is done, and what it means.
_ACTIONS = {
    "acknowledge": (
        "acknowledged",
        "Say that what the last scan found was seen: it is not told again until it changes further.",
    ),
    "deactivate": ("deactivated", "Pass over some subscriptions until they are reactivated."),
    "reactivate": ("reactivated", "Look at some subscriptions again; one that snoozes wakes."),
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
    """Hear nothing of some subscriptions for a while."""
    _report(act(None, ids, "snooze", until), "snoozed", as_json)


@subscriptions.command()
@click.argument("id_", metavar="ID")
@click.option("--label")
@click.option("--description")
@click.option("--trigger-on-duplicate/--no-trigger-on-duplicate", default=None)
@click.option("--include-members/--no-include-members", default=None)
@click.option("--include-private/--no-include-private", default=None)
@click.option("--include-inherited/--no-include-inherited", default=None)
@click.option("--track-decorators/--no-track-decorators", default=None)
@click.option("--cosmetic/--no-cosmetic", default=None)
@json_option
def change(id_: str, as_json: bool, **flags: object) -> None:
    """Change what a subscription is called and what it tells of."""
    changes = {name: value for name, value in flags.items() if value is not None}
    if not changes:
        raise BirthmarkError(f"{id_}: name what is to change; `birthmark subscriptions change --help` lists it")
    _report([update_subscription(None, id_, changes)], "changed", as_json)


def _report(kept: list[StoredSubscription], done: str, as_json: bool) -> None:
    if as_json:
        print_json([wire_scan.subscription_document(*one) for one in kept])
        return
    for one in kept:
        click.echo(f"{done}  {one.subscription.id}  {_about(one.subscription)}")


def _row(kept: StoredSubscription) -> tuple[str, str, str]:
    subscription, shelf = kept
    notes = [
        *(["inactive"] if not subscription.active else []),
        *([f"snoozed until {subscription.snoozed_until}"] if subscription.snoozed_until else []),
        *(["acknowledged"] if subscription.acknowledged else []),
        *(["team"] if shelf == "team" else []),
    ]
    return (
        subscription.id,
        str(subscription.target),
        _about(subscription) + (f"  ({', '.join(notes)})" if notes else ""),
    )


def _about(subscription: Subscription) -> str:
    """What it points at, for people."""
    accepted = subscription.accepted
    label = f"  {paint(subscription.label, 'green')}" if subscription.label else ""
    if subscription.target is SubscriptionTarget.PATTERN:
        return subscription.ref + label
    place = f"{accepted.path}:{lines_of(accepted.start_line, accepted.end_line)}"
    if accepted.semantic is None:
        return place + label
    return f"{accepted.semantic.kind} {accepted.semantic.qualname}  {place}{label}"


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--dry-run", is_flag=True, help="Tell what would be applied, and change nothing.")
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
    done = apply_scan(None, ids, dry_run, report, number)
    if as_json:
        print_json(wire_scan.applied_document(done.applied, done.skipped) | {"dry_run": dry_run})
        return
    for subscription in done.applied:
        click.echo(f"{'would apply' if dry_run else 'applied'}  {subscription.id}  {_about(subscription)}")
    for id_, reason in done.skipped:
        click.echo(f"{paint('skipped', 'yellow')}  {id_}  {reason}")
    if not done.applied and not done.skipped:
        say("there is nothing to apply")
