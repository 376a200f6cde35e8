"""Scans as they are stored."""

from __future__ import annotations

from pathlib import Path

import msgspec

from birthmark.app.scans.stored_scans import list_scans
from birthmark.app.workspace.stores import subscription_store
from birthmark.app.workspace.workspace import find_workspace
from birthmark.store.model import KEPT_SCANS
from birthmark.subscriptions.model import ScanReport


def test_who_sees_some_repositories_sees_the_scans_whose_findings_are_stored(tmp_path: Path) -> None:
    """What of the others was visible is not known."""
    report = msgspec.json.encode(ScanReport("HEAD", "worktree", (), 0))
    with subscription_store(find_workspace(tmp_path)) as store, store.writing():
        for _ in range(KEPT_SCANS + 2):
            store.set_scan(store.add_scan("2026-11-15T12:00:00Z", "HEAD", "worktree", 3), report)
    of_all = list_scans(find_workspace(tmp_path), limit=1000)
    assert [(row.scan, row.triggers) for row in (of_all[0], of_all[-1])] == [(KEPT_SCANS + 2, 3), (1, 3)]
    of_some = list_scans(find_workspace(tmp_path), limit=1000, visible=frozenset({"shop"}))
    assert [row.scan for row in of_some] == [row.scan for row in of_all[:KEPT_SCANS]]
    assert {row.triggers for row in of_some} == {0}
    assert [row.scan for row in list_scans(find_workspace(tmp_path), 2, frozenset())] == [
        KEPT_SCANS + 2,
        KEPT_SCANS + 1,
    ]
