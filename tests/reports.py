"""Reports of scans, put together by hand."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from birthmark.comparison.patch import Hunk, PatchHunk, PatchLine
from birthmark.model import Problem
from birthmark.sources.git.log import Commit
from birthmark.subscriptions.model import (
    Accepted,
    AcceptedFingerprints,
    ChangedPlace,
    DocLink,
    Explanation,
    Finding,
    Member,
    Proposal,
    ScanReport,
    Semantic,
    Subscription,
    Trigger,
)
from birthmark.vocabulary import AnchorStatus, ChangeType, Muted, SubscriptionTarget

NOON = 1_794_744_000  # 2026-11-15T12:00:00Z
BASE = "0123456789abcdef0123456789abcdef01234567"


def prints(text: str) -> AcceptedFingerprints:
    parts = ("interface", "body", "content", "text", "declaration")
    return AcceptedFingerprints(version=1, **{part: f"{part}-{text}" for part in parts})


def state(path: str = "shop.py", start: int = 10, end: int = 11, text: str = "old", **more: Any) -> Accepted:
    semantic = Semantic("python", "method", "Cart.total", prints(text))
    return Accepted(path=path, start_line=start, end_line=end, semantic=semantic, **more)


def subscription(id_: str = "sub-0000000001", **more: Any) -> Subscription:
    usual: dict[str, Any] = {"ref": "shop.py::Cart.total", "accepted": state()}
    return Subscription(id=id_, **(usual | more))


def trigger(
    id_: str = "sub-0000000001",
    change: ChangeType = ChangeType.STRUCTURAL,
    reasons: tuple[str, ...] = ("interface_changed",),
    **details: object,
) -> Trigger:
    return Trigger(id_, "shop.py", 10, 11, reasons, change, details=details, name="Cart.total")


def commit(number: int = 1, subject: str = "Fix rounding") -> Commit:
    return Commit(f"{number}" * 40, (), "A", "a@b.c", NOON, "+0000", subject, NOON, "+0000")


def explanation(*lines: str, **more: Any) -> Explanation:
    """Lines are those of a hunk, each with its sign."""
    hunk = PatchHunk(Hunk(10, 1, 12, 1), tuple([PatchLine(line[:1], line[1:]) for line in lines]))
    usual: dict[str, Any] = {"commits": (commit(),), "hunks": (hunk,) if lines else ()}
    return Explanation(**(usual | more))


def finding(change: ChangeType = ChangeType.STRUCTURAL, **more: Any) -> Finding:
    """Something that has changed and stands two lines further down."""
    usual: dict[str, Any] = {"subscription": subscription(), "trigger": trigger(change=change), "after": moved()}
    return Finding(**(usual | more))


def moved(**more: Any) -> Accepted:
    usual: dict[str, Any] = {"start": 12, "end": 14, "text": "new"}
    return state(**(usual | more))


def report(*findings: Finding, **more: Any) -> ScanReport:
    usual: dict[str, Any] = {"base": BASE, "target": "the worktree", "findings": findings, "n_unchanged": 3}
    return ScanReport(**(usual | more))


def everything() -> ScanReport:
    """A finding of each sort, with names that mean something in every format."""
    two, three, four, five, six = (f"sub-000000000{number}" for number in range(2, 7))
    elsewhere = "src/a b:c,50%[x](y).py"
    return report(
        finding(
            subscription=subscription(label="tax | `rules` <b> @all", description="Ask the *accountants*."),
            trigger=replace(
                trigger(reasons=("interface_changed", "body_changed")),
                explanation=explanation(
                    "-def total(self):",
                    "+def total(self, tax):",
                    old_signature="def total(self)",
                    new_signature="def total(self, tax)",
                ),
            ),
            proposal=Proposal("sub-0000000001", "shop.py", 10, 11, elsewhere, 12, 14, ("moved_cross_file",), "high"),
            after=moved(path=elsewhere),
        ),
        Finding(subscription(two), trigger(two, ChangeType.MISSING, ("file_deleted",))),
        Finding(
            subscription(three, target=SubscriptionTarget.PATTERN, ref="api/**::*Controller.*", accepted=Accepted()),
            Trigger(
                three,
                "",
                0,
                0,
                ("matches_added", "matches_changed"),
                ChangeType.AGGREGATE,
                explanation=explanation(),
                places=(
                    ChangedPlace("added", "NewController.get", "api/a.py", 3, 5, explanation=explanation()),
                    ChangedPlace("changed", "OldController.get", "api/b.py", 7, 9, explanation=explanation("-a", "+b")),
                ),
                details={
                    "added": ["api/a.py::NewController.get"],
                    "changed": [{"name": "api/b.py::OldController.get", "aspects": ["body", "interface"]}],
                },
            ),
            after=Accepted(members=(Member("api/a.py::NewController.get", "method", prints("get")),)),
        ),
        Finding(subscription(four), locations=("a.py:3", "b.py:9-12")),
        finding(ChangeType.COSMETIC, subscription=subscription(five), muted=Muted.COSMETIC),
        Finding(
            subscription(six),
            proposal=Proposal(six, "shop.py", 10, 11, "shop.py", 12, 13, ("line_shift",), "high"),
            after=moved(text="old"),
        ),
        n_inactive=2,
        docs=(
            DocLink(
                "docs/guide.md",
                7,
                "shop.py::Cart",
                AnchorStatus.CHANGED,
                ("body change",),
                BASE,
                "f" * 40,
                "shop.py:1-9",
            ),
            DocLink("docs/guide.md", 9, "shop.py::Cart", AnchorStatus.CURRENT),
        ),
        problems=(Problem("odd.py", "cannot be read", 3),),
        scan=4,
        at="2026-11-15T12:00:00Z",
    )
