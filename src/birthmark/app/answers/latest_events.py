"""What happened last by the ledger: events by the runs and commits in which they happened, the newest first."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from birthmark.app.answers.resolving import read_commits
from birthmark.app.workspace.session import Session
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.sources.git.log import Commit
from birthmark.store.model import REPLAY, Identity, Run


class IdentityEvent(NamedTuple):
    """What happened, and to which identity."""

    identity: Identity
    event: LedgerEvent


class RunEvents(NamedTuple):
    """A run of the index or a replayed commit, and what happened in it; not all of it if it is not whole."""

    run: Run
    commit: Commit | None  # None without git, and where the clone does not have it
    events: list[IdentityEvent]
    is_whole: bool

    @property
    def is_replayed(self) -> bool:
        return self.run.worktree == REPLAY


def read_latest(session: Session, limit: int) -> list[RunEvents]:
    """Of so many identities at most; the last run may have more of them."""
    changes = session.store.latest_changes(limit + 1)
    lives = read_lives(session.view, {identity for _, identity in changes[:limit]})
    runs = session.store.runs({run for run, _ in changes})
    found = [
        (run, IdentityEvent(lives[identity].identity, event))
        for run, identity in changes[:limit]
        for event in lives[identity].events
        if event.event.run == run
    ]
    commit_of = session.repository.commit if session.workspace.has_git else None
    commits = read_commits(commit_of, [one.event for _, one in found])
    unfinished = changes[limit][0] if len(changes) > limit else None
    return [
        RunEvents(runs[run], commits.get(runs[run].revision or ""), [one for _, one in group], run != unfinished)
        for run, group in groupby(found, key=itemgetter(0))
    ]
