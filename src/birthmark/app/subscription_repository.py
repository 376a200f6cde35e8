"""Where subscriptions are kept: those of one person in `.birthmark/`, those of a team in `birthmark.toml`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.stores import has_subscriptions, subscription_store
from birthmark.app.workspace import Workspace, find_workspace, make_home
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.sources.config import CONFIG_FILE
from birthmark.store.lock import writer_lock
from birthmark.subscriptions.model import Subscription
from birthmark.subscriptions.team_file import read_team, write_team
from birthmark.vocabulary import SubscriptionHome

_WAIT_SECONDS = 10.0


class StoredSubscription(NamedTuple):
    """A subscription and where it is kept."""

    subscription: Subscription
    shelf: str


class SubscriptionRepository:
    """Both places where subscriptions are kept."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.team_file = workspace.root / CONFIG_FILE

    def all(self) -> list[StoredSubscription]:
        team = [
            StoredSubscription(one, SubscriptionHome.TEAM) for one in read_team(self._team_text(), str(self.team_file))
        ]
        names = {kept.subscription.id for kept in team}
        return [*team, *(kept for kept in self._personal() if kept.subscription.id not in names)]

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
        kept: Iterable[StoredSubscription],
        deleted: Iterable[StoredSubscription] = (),
        contents: Mapping[str, bytes] = {},
    ) -> None:
        """Change both shelves, each wholly or not at all. Contents are what was accepted and nobody else has."""
        kept, deleted = list(kept), list(deleted)
        changed, gone = _on(kept, SubscriptionHome.TEAM), [one.id for one in _on(deleted, SubscriptionHome.TEAM)]
        if changed or gone:
            make_home(self.workspace.home)
            with writer_lock(self.workspace.home / "subscriptions.lock", _WAIT_SECONDS):
                _replace_file(self.team_file, write_team(self._team_text(), str(self.team_file), changed, gone))
        if contents or _on(kept, SubscriptionHome.PERSONAL) or _on(deleted, SubscriptionHome.PERSONAL):
            with subscription_store(self.workspace) as store, store.writing():
                store.put_subscriptions(
                    {one.id: msgspec.json.encode(one) for one in _on(kept, SubscriptionHome.PERSONAL)}
                )
                store.delete_subscriptions([one.id for one in _on(deleted, SubscriptionHome.PERSONAL)])
                store.keep_contents(contents)
        self._forget_contents()

    def _forget_contents(self) -> None:
        """Most have none: who works on clean files accepts what git has."""
        if not has_subscriptions(self.workspace):
            return
        with subscription_store(self.workspace) as store:
            if not store.has_contents():
                return
            used = {content for kept in self.all() for content in kept.subscription.accepted.files.values()}
            with store.writing():
                store.drop_contents(used)


def _on(kept: Iterable[StoredSubscription], shelf: str) -> list[Subscription]:
    return [one.subscription for one in kept if one.shelf == shelf]


def _replace_file(path: Path, text: str) -> None:
    """All of it or nothing, whatever happens meanwhile."""
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        with tempfile.NamedTemporaryFile("wb", dir=path.parent, prefix=".birthmark-", delete=False) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.chmod(file.name, mode)
        os.replace(file.name, path)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; nothing was changed") from error


def list_subscriptions(folder: Path | None) -> list[StoredSubscription]:
    return sorted(
        SubscriptionRepository(workspace_of(folder)).all(),
        key=lambda kept: (kept.subscription.created_at, kept.subscription.id),
    )


def find_subscriptions(folder: Path | None, ids: Sequence[str]) -> list[StoredSubscription]:
    known = {kept.subscription.id: kept for kept in SubscriptionRepository(workspace_of(folder)).all()}
    unknown = next((id_ for id_ in ids if id_ not in known), None)
    if unknown is not None:
        raise NotFoundError(f"{unknown}: there is no such subscription; `birthmark subscriptions` lists them")
    return [known[id_] for id_ in ids]


def workspace_of(folder: Path | None) -> Workspace:
    return find_workspace(folder or Path.cwd())
