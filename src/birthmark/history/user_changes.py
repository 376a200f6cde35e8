"""Find when users of an entity came and went, over all commits of a history.

Takes the users of the entity at each commit, parents first; gives the changes of each commit. A merge changes only what
no parent explains: of its parents' changes the latest counts. So the changes of all ancestors of a commit, one after
the other, always give its users.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from birthmark.graph.edges import Edge
from birthmark.graph.network import Node
from birthmark.sources.git.log import Link

# The surest use by each user: a definition by its identity, the top level of a file by its path.
Users = Mapping[Node, Edge]
Change = tuple[int, bool]  # the number of a commit, and true if the user came


class _UserState(NamedTuple):
    """The users at a commit, the last change of each known user, and the former paths of renamed files."""

    users: Users
    changes: dict[Node, Change]
    files: dict[str, str]


_NO_USERS = _UserState({}, {}, {})


class UserTimeline:
    """The commits that were added so far."""

    def __init__(self) -> None:
        self.states: dict[str, _UserState] = {}

    def add(self, link: Link, users: Users | None, renamed: Mapping[str, str]) -> tuple[list[Edge], list[Edge]]:
        """Return the users that a commit added and those that it removed, with their use before it.

        `users` is None where they are those of the first parent; `renamed` maps old paths to new ones.
        """
        parents = [self.states[parent] for parent in link.parents if parent in self.states] or [_NO_USERS]
        if users is None and len(parents) == 1:
            self.states[link.commit] = parents[0]
            return [], []
        files = _merge_files(parents, renamed)
        users = parents[0].users if users is None else _by_node(users, files)
        changes = _merge_changes(parents)
        came = [node for node in users if node not in changes or not changes[node][1]]
        went = [node for node, (_, has_come) in changes.items() if has_come and node not in users]
        number = len(self.states)
        changes = changes | {node: (number, node in users) for node in (*came, *went)}
        self.states[link.commit] = _UserState(users, changes, files)
        before = {node: edge for parent in reversed(parents) for node, edge in parent.users.items()}
        return [users[node] for node in came], [before[node] for node in went if node in before]


def _merge_changes(parents: list[_UserState]) -> dict[Node, Change]:
    merged = parents[0].changes
    for parent in parents[1:]:
        if parent.changes is not merged:
            merged = {
                node: max(filter(None, (merged.get(node), parent.changes.get(node))))
                for node in dict.fromkeys((*merged, *parent.changes))
            }
    return merged


def _merge_files(parents: list[_UserState], renamed: Mapping[str, str]) -> dict[str, str]:
    """Return the known paths of the files of a commit; a renamed file keeps the one it had."""
    files = {path: known for parent in reversed(parents) for path, known in parent.files.items()}
    if not renamed:
        return files
    kept = {path: known for path, known in files.items() if path not in renamed}
    return kept | {new: files.get(old, old) for old, new in renamed.items()}


def _by_node(users: Users, files: dict[str, str]) -> dict[Node, Edge]:
    return {_known_as(node, files) if isinstance(node, str) else node: edge for node, edge in users.items()}


def _known_as(path: str, files: dict[str, str]) -> str:
    """Return the known path of a file; a path that another file had before means another file now."""
    known = files.get(path)
    return known if known is not None else f"{path}\n" if path in files.values() else path
