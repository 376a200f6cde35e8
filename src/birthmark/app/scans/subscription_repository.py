"""Store subscriptions: those of one person in `.birthmark/`, those of a team in `birthmark.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import Workspace, find_workspace, make_home
from birthmark.errors import AmbiguousError, BirthmarkError, NotFoundError
from birthmark.sources.config import CONFIG_FILE
from birthmark.spelling import did_you_mean
from birthmark.store.lock import writer_lock
from birthmark.subscriptions.model import ID_PREFIX, Subscription
from birthmark.subscriptions.team_file import read_team, write_team
from birthmark.vocabulary import SubscriptionHome

_WAIT_SECONDS = 10.0
_SHORTEST = 3  # characters of an id that may stand for it, without `sub-`


class StoredSubscription(NamedTuple):
    """A subscription and where it is stored."""

    subscription: Subscription
    home: SubscriptionHome


class SubscriptionRepository:
    """The subscriptions of a repository, personal ones and those of the team."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.team_file = workspace.root / CONFIG_FILE

    def all(self) -> list[StoredSubscription]:
        team = [
            StoredSubscription(one, SubscriptionHome.TEAM) for one in read_team(self._team_text(), str(self.team_file))
        ]
        names = {stored.subscription.id for stored in team}
        return [*team, *(stored for stored in self._personal() if stored.subscription.id not in names)]

    def _personal(self) -> list[StoredSubscription]:
        if not has_subscriptions(self.workspace):
            return []
        with subscription_store(self.workspace) as store:
            return [
                StoredSubscription(msgspec.json.decode(one, type=Subscription), SubscriptionHome.PERSONAL)
                for one in store.subscriptions()
            ]

    def _team_text(self) -> str:
        try:
            return self.team_file.read_bytes().decode() if self.team_file.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise BirthmarkError(f"{self.team_file}: cannot be read: {error}") from error

    def put(
        self,
        stored: Iterable[StoredSubscription],
        deleted: Iterable[StoredSubscription] = (),
        contents: Mapping[str, bytes] = {},
    ) -> None:
        """Change both homes, each wholly or not at all. `contents` were accepted, and git does not have them."""
        stored, deleted = list(stored), list(deleted)
        changed, gone = _on(stored, SubscriptionHome.TEAM), [one.id for one in _on(deleted, SubscriptionHome.TEAM)]
        if changed or gone:
            make_home(self.workspace.home)
            with writer_lock(self.workspace.home / "subscriptions.lock", _WAIT_SECONDS):
                text = write_team(self._team_text(), str(self.team_file), changed, gone)
                replace_file(self.team_file, text.encode())
        if contents or _on(stored, SubscriptionHome.PERSONAL) or _on(deleted, SubscriptionHome.PERSONAL):
            with subscription_store(self.workspace) as store, store.writing():
                store.put_subscriptions(
                    {one.id: msgspec.json.encode(one) for one in _on(stored, SubscriptionHome.PERSONAL)}
                )
                store.delete_subscriptions([one.id for one in _on(deleted, SubscriptionHome.PERSONAL)])
                store.keep_contents(contents)
        self._forget_contents()

    def _forget_contents(self) -> None:
        """Most repositories have none: git has the contents of clean files."""
        if not has_subscriptions(self.workspace):
            return
        with subscription_store(self.workspace) as store:
            if not store.has_contents():
                return
            used = {content for stored in self.all() for content in stored.subscription.accepted.files.values()}
            with store.writing():
                store.drop_contents(used)


def _on(stored: Iterable[StoredSubscription], home: SubscriptionHome) -> list[Subscription]:
    return [one.subscription for one in stored if one.home == home]


def list_subscriptions(folder: Path | None) -> list[StoredSubscription]:
    return sorted(
        SubscriptionRepository(workspace_of(folder)).all(),
        key=lambda stored: (stored.subscription.created_at, stored.subscription.id),
    )


def find_subscriptions(folder: Path | None, ids: Sequence[str]) -> list[StoredSubscription]:
    """By their ids, or by beginnings that only one id has, with or without `sub-`."""
    known = {stored.subscription.id: stored for stored in SubscriptionRepository(workspace_of(folder)).all()}
    return [known[id_ if id_ in known else _complete(id_, known)] for id_ in ids]


def _complete(beginning: str, known: Mapping[str, StoredSubscription]) -> str:
    bare = beginning.removeprefix(ID_PREFIX)
    found = [id_ for id_ in known if len(bare) >= _SHORTEST and id_.removeprefix(ID_PREFIX).startswith(bare)]
    if len(found) > 1:
        lines = [f"{id_}  {known[id_].subscription.ref}" for id_ in sorted(found)]
        raise AmbiguousError(f"{beginning}: {len(found):,} subscriptions begin so; name one of them", lines)
    if not found:
        hint = did_you_mean(beginning, known) or "; `birthmark subscriptions` lists them"
        raise NotFoundError(f"{beginning}: there is no such subscription{hint}")
    return found[0]


def workspace_of(folder: Path | None) -> Workspace:
    return find_workspace(folder or Path.cwd())
