"""Store subscriptions and notes: personal ones in `.birthmark/`, those of a team in `birthmark.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.app.across import ALL_VISIBLE, Visible, is_visible
from birthmark.app.workspace.file_writing import replace_file
from birthmark.app.workspace.stores import has_subscriptions, subscription_store
from birthmark.app.workspace.workspace import Workspace, make_home
from birthmark.decoding import prepared
from birthmark.errors import AmbiguousError, NotFoundError
from birthmark.file_lock import writer_lock
from birthmark.model import Problem
from birthmark.sources.config import CONFIG_FILE, read_team_text
from birthmark.subscriptions.model import ID_PREFIX, Subscription
from birthmark.subscriptions.notes import NOTE_PREFIX, Note
from birthmark.subscriptions.team_file import TeamItem, read_team, table_of, write_team
from birthmark.vocabulary import SubscriptionHome
from birthmark.words import did_you_mean

_WAIT_SECONDS = 10.0
_SHORTEST = 3  # characters of an id that may stand for it, without its prefix


class StoredSubscription(NamedTuple):
    """A subscription and where it is stored."""

    subscription: Subscription
    home: SubscriptionHome


StoredNote = tuple[Note, SubscriptionHome]  # a note and where it is stored
Stored = StoredSubscription | StoredNote


class SubscriptionRepository:
    """The subscriptions and notes of a repository, personal ones and those of the team."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.team_file = workspace.root / CONFIG_FILE

    def all(self, visible: Visible = ALL_VISIBLE) -> list[StoredSubscription]:
        """Return all subscriptions, except those about repositories that are not visible."""
        found = [StoredSubscription(*found) for found in self._read(Subscription)]
        return [one for one in found if is_visible(one.subscription.repository, visible)]

    def notes(self) -> list[StoredNote]:
        return list(self._read(Note))

    def find_invalid(self, kind: type[TeamItem]) -> list[Problem]:
        """Return what is wrong with entries of the team's file, which are left out."""
        return read_team(read_team_text(self.team_file), CONFIG_FILE, kind).problems

    def _read(self, kind: type[TeamItem]) -> Iterator[tuple[TeamItem, SubscriptionHome]]:
        team = read_team(read_team_text(self.team_file), str(self.team_file), kind).items
        ids = {one.id for one in team}
        yield from ((one, SubscriptionHome.TEAM) for one in team)
        yield from ((one, SubscriptionHome.PERSONAL) for one in self._personal(kind) if one.id not in ids)

    def _personal(self, kind: type[TeamItem]) -> list[TeamItem]:
        if not has_subscriptions(self.workspace):
            return []
        with subscription_store(self.workspace) as store:
            return [msgspec.json.decode(one, type=prepared(kind)) for one in store.documents(table_of(kind))]

    def put(self, stored: Iterable[Stored], deleted: Iterable[Stored] = (), contents: Mapping[str, bytes] = {}) -> None:
        """Change both homes, each atomically. `contents` are accepted contents that git does not have."""
        stored, deleted = list(stored), list(deleted)
        changed, gone = _on(stored, SubscriptionHome.TEAM), _on(deleted, SubscriptionHome.TEAM)
        if changed or gone:
            make_home(self.workspace.home)
            with writer_lock(self.workspace.home / "subscriptions.lock", _WAIT_SECONDS):
                text = write_team(read_team_text(self.team_file), str(self.team_file), changed, gone)
                replace_file(self.team_file, text.encode())
        if contents or _on(stored, SubscriptionHome.PERSONAL) or _on(deleted, SubscriptionHome.PERSONAL):
            with subscription_store(self.workspace) as store, store.writing():
                for one in _on(stored, SubscriptionHome.PERSONAL):
                    store.put_documents(table_of(type(one)), {one.id: msgspec.json.encode(one)})
                for one in _on(deleted, SubscriptionHome.PERSONAL):
                    store.delete_documents(table_of(type(one)), [one.id])
                store.keep_contents(contents)
        self._forget_contents()

    def _forget_contents(self) -> None:
        """Most repositories have none: git has the contents of clean files."""
        if not has_subscriptions(self.workspace):
            return
        with subscription_store(self.workspace) as store:
            if not store.has_contents():
                return
            known: list[Stored] = [*self.all(), *self.notes()]
            used = {content for one, _ in known for content in one.accepted.files.values()}
            with store.writing():
                store.drop_contents(used)


def _on(stored: Iterable[Stored], home: SubscriptionHome) -> list[Subscription | Note]:
    return [one for one, at in stored if at == home]


def list_subscriptions(workspace: Workspace, visible: Visible = ALL_VISIBLE) -> list[StoredSubscription]:
    return sorted(
        SubscriptionRepository(workspace).all(visible),
        key=lambda stored: (stored.subscription.created_at, stored.subscription.id),
    )


def find_subscriptions(
    workspace: Workspace, ids: Sequence[str], visible: Visible = ALL_VISIBLE
) -> list[StoredSubscription]:
    """Return subscriptions by their ids or unambiguous prefixes, with or without `sub-`."""
    known = {stored.subscription.id: stored for stored in SubscriptionRepository(workspace).all(visible)}
    targets = {id_: stored.subscription.ref for id_, stored in known.items()}
    return [known[_complete(id_, targets, ID_PREFIX, "subscription")] for id_ in ids]


def find_note(workspace: Workspace, id_: str) -> StoredNote:
    """Return a note by its id or an unambiguous prefix, with or without `note-`."""
    known = {note.id: (note, home) for note, home in SubscriptionRepository(workspace).notes()}
    targets = {known_id: note.accepted.location.qualified_name for known_id, (note, _) in known.items()}
    return known[_complete(id_, targets, NOTE_PREFIX, "note")]


def _complete(beginning: str, known: Mapping[str, str], prefix: str, noun: str) -> str:
    """The id that begins so; `known` says what each is about."""
    if beginning in known:
        return beginning
    bare = beginning.removeprefix(prefix)
    found = [id_ for id_ in known if len(bare) >= _SHORTEST and id_.removeprefix(prefix).startswith(bare)]
    if len(found) > 1:
        lines = [f"{id_}  {known[id_]}" for id_ in sorted(found)]
        raise AmbiguousError(f"{beginning}: {len(found):,} {noun}s begin so; name one of them", lines)
    if not found:
        hint = did_you_mean(beginning, known) or f"; `birthmark {noun}s` lists them"
        raise NotFoundError(f"{beginning}: there is no such {noun}{hint}")
    return found[0]
