"""Make the accepted state of a subscription from a state of the repository."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from hashlib import sha256

from msgspec.structs import replace

from birthmark.comparison.patch import lines_of
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.subscriptions.lines import anchors_of
from birthmark.subscriptions.members import read_members, semantic_of
from birthmark.subscriptions.model import Accepted, Member, Subscription
from birthmark.subscriptions.patterns import SubscriptionPattern, read_pattern
from birthmark.subscriptions.state_symbols import TreeSymbols
from birthmark.vocabulary import SubscriptionTarget

MarkOf = Callable[[OutlinedEntity], str | None]


class AcceptedStateReader:
    """A reader of accepted states from one tree."""

    def __init__(self, tree: RepositoryState, mark_of: MarkOf = lambda state_entity: None) -> None:
        self.tree, self._mark_of = tree, mark_of
        self.symbols = TreeSymbols(tree)

    def entity(self, subscription: Subscription, state_entity: OutlinedEntity) -> Accepted:
        members, paths = self.members(subscription, state_entity)
        has_users = subscription.target is SubscriptionTarget.USERS
        return replace(
            self.definition(state_entity),
            members=members,
            files=self._files(paths | (self._dirty if has_users else set())),
            digest=self.tree_digest if has_users else None,
        )

    def definition(self, state_entity: OutlinedEntity) -> Accepted:
        """An entity by itself."""
        entity, path = state_entity.entity, state_entity.file.path
        return Accepted(
            path=path,
            start_line=entity.start_line,
            end_line=entity.end_line,
            mark=self._mark_of(state_entity),
            semantic=semantic_of(state_entity),
            revision=self.tree.revision,
            files=self._files({path}),
        )

    def members(self, subscription: Subscription, state_entity: OutlinedEntity) -> tuple[tuple[Member, ...], set[str]]:
        """Return the members that a subscription is about, and the files they were read from."""
        if not subscription.include_members:
            return (), {state_entity.file.path}
        return read_members(self.symbols, state_entity, subscription.include_inherited)

    def lines(self, path: str, first: int, last: int) -> Accepted:
        content = self.tree.content(path)
        if content is None:
            why = self.tree.problem(path) or f"there is no such file in {self.tree.name}; name one by its path"
            raise BirthmarkError(f"{path}: {why}")
        lines = lines_of(content)
        if not lines:
            raise BirthmarkError(f"{path}: is empty, so it has no lines; name a file that has some")
        if not 1 <= first <= last <= len(lines):
            raise BirthmarkError(f"{path}:{first}-{last}: the file has lines 1 to {len(lines)}; name some of them")
        return Accepted(
            path=path,
            start_line=first,
            end_line=last,
            anchors=anchors_of(lines, first, last),
            revision=self.tree.revision,
            files=self._files({path}),
        )

    def pattern(self, ref: str) -> Accepted:
        pattern = read_pattern(ref)
        return Accepted(revision=self.tree.revision, files=self._files(self._dirty), digest=self.digest(pattern))

    def digest(self, pattern: SubscriptionPattern) -> str:
        """Return the digest of all files that a pattern may match."""
        return self._digest(path for path in self.tree.paths() if pattern.has_path(path))

    @cached_property
    def tree_digest(self) -> str:
        """Return the digest of all files in supported languages, because users may be in any of them."""
        return self._digest(self.tree.paths())

    def _digest(self, paths: Iterable[str]) -> str:
        found = sorted((path, self.tree.content_id(path)) for path in paths)
        return sha256(repr(found).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def _files(self, paths: set[str]) -> dict[str, str]:
        return {path: self.tree.content_id(path) or "" for path in sorted(paths)}

    @cached_property
    def _dirty(self) -> set[str]:
        """The paths that differ from the commit that the tree is based on."""
        return set(self.tree.dirty())
