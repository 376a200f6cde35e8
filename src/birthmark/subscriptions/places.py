"""Where the parts of an aggregate are: members of a container, matches of a pattern, users of an entity."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import RepositoryState
from birthmark.subscriptions.members import MemberChanges, members_of
from birthmark.subscriptions.model import ChangedPlace


def place_of(change: str, entity: OutlinedEntity, before: OutlinedEntity | None = None) -> ChangedPlace:
    at, old = entity.location, before.location if before is not None else None
    return ChangedPlace(change, at.qualified_name, at.path, at.start_line, at.end_line, old)


def member_places(
    changes: MemberChanges, old: OutlinedEntity | None, new: OutlinedEntity, state: RepositoryState
) -> list[ChangedPlace]:
    """Where the members are that are reported; one that is inherited is where it is defined."""
    before, after = ({} if one is None else _by_name(members_of(one)) for one in (old, new))
    own = [("added", name, name) for name in changes.added]
    own += [("changed", str(item["name"]), str(item["name"])) for item in changes.changed]
    own += [("renamed", item["from"], item["to"]) for item in changes.renamed]
    places = [place_of(word, after[name], before.get(was)) for word, was, name in own if name in after]
    places += [place_of("inherited", one) for item in changes.inherited for one in _inherited(item, state)]
    return places + [place_of("removed", before[name]) for name in changes.removed if name in before]


def _by_name(members: Iterable[OutlinedEntity]) -> dict[str, OutlinedEntity]:
    """Of several with one name the first."""
    found: dict[str, OutlinedEntity] = {}
    for member in members:
        found.setdefault(member.entity.name, member)
    return found


def _inherited(item: dict[str, object], state: RepositoryState) -> list[OutlinedEntity]:
    path, _, container = str(item["origin"]).partition("::")
    file = state.file(path)
    entities = file.outline.entities if file is not None else ()
    name = f"{container}.{item['name']}"
    return [OutlinedEntity(file, i) for i, one in enumerate(entities) if file and one.qualified_name == name][:1]
