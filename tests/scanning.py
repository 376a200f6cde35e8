"""Subscriptions in a small repository: wish, edit, scan, and what was told in a few words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from birthmark.app.scans.scanning import ScanOptions, apply
from birthmark.app.scans.scanning import scan as run_scan
from birthmark.app.scans.subscription_repository import find_subscriptions
from birthmark.app.scans.subscriptions import SubscriptionRequest, act
from birthmark.app.scans.subscriptions import subscribe as make_subscription
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.subscriptions import AppliedDocument
from birthmark.store.model import Message, StoreLocation
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from birthmark.subscriptions.model import Finding, ScanReport, Subscription
from worlds import World

Answer = TypeVar("Answer")


class Told(NamedTuple):
    """What a scan says of one subscription."""

    change: str | None = None
    reasons: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    place: str | None = None  # `path:first-last` of the proposal
    confidence: str | None = None
    name: str | None = None


QUIET = Told()


def make(root: Path, files: dict[str, str], *, with_git: bool = True) -> World:
    """A repository whose files are committed."""
    world = World(root, files, with_git=with_git)
    if with_git:
        world.commit()
    return world


def in_session(root: Path, run: Callable[..., Answer], *arguments: Any, **options: Any) -> Answer:
    """Call a function with a session of a repository and what it takes besides."""
    with open_session(root) as session:
        return run(session, *arguments, **options)


def subscribe(world: World, ref: str, **options: Any) -> Subscription:
    done = in_session(world.root, make_subscription, SubscriptionRequest(ref, **options))
    return find_subscriptions(find_workspace(world.root), [done.id])[0].subscription


def current(world: World, subscription: Subscription) -> Subscription:
    return find_subscriptions(find_workspace(world.root), [subscription.id])[0].subscription


def scan(world: World, base: str | None = None, target: str | None = None, **options: Any) -> ScanReport:
    return in_session(world.root, run_scan, ScanOptions(base, target, **options))


def accept(world: World, *ids: str, **options: Any) -> AppliedDocument:
    return in_session(world.root, apply, ids, **options)


def skipped(done: AppliedDocument) -> list[tuple[str, str]]:
    return [(one.subscription_id, one.reason) for one in done.skipped]


def do(world: World, action: str, subscription: Subscription, until: str | None = None) -> Subscription:
    return in_session(world.root, act, [subscription.id], action, until)[0].subscription


def post_message(root: Path, id_: str, scan: int = 1, state: str = "pending", **more: Any) -> None:
    """A message to the webhook `chat`, which may be set up or not."""
    message = Message(id_, scan, "chat", b"{}", state, created_at="2026-11-15T12:00:00Z")._replace(**more)
    with closing(SqliteSubscriptions(StoreLocation(root / ".birthmark"))) as store:
        store.post([message])


def told(report: ScanReport) -> Told:
    """Of the only finding that is not muted; quiet if there is none."""
    findings = [found for found in report.findings if found.muted is None]
    assert len(findings) <= 1, findings
    return describe(findings[0]) if findings else QUIET


def describe(finding: Finding) -> Told:
    trigger, proposal = finding.trigger, finding.proposal
    return Told(
        str(trigger.change_type) if trigger else None,
        trigger.reasons if trigger else (),
        proposal.reasons if proposal else (),
        f"{proposal.new_path}:{proposal.new_start}-{proposal.new_end}" if proposal else None,
        proposal.confidence if proposal else None,
        proposal.new_qualname if proposal else None,
    )


def details(report: ScanReport) -> dict[str, Any]:
    assert len(report.triggers) == 1, report.triggers
    return dict(report.triggers[0].details)


def assert_settles(world: World, first: Told | None = None) -> None:
    """What is told now is told once: after it is applied, nothing more is."""
    found = scan(world)
    assert found.findings, "nothing was told"
    if first is not None:
        assert told(found) == first
    done = accept(world)
    assert not done.skipped, done.skipped
    assert scan(world).findings == ()
