"""Name the entities of a file, read at full detail, that are not indexed.

Nothing is born without an index, so births count from zero: the names are the same whenever they are asked for, and
give way to real ones once there is an index.
"""

from __future__ import annotations

from typing import NamedTuple

from birthmark.extraction.model import FileNodes
from birthmark.identity.keys import choose_births, format_semantic_path, mint_mark, place_of
from birthmark.model import Entity


class EntityNames(NamedTuple):
    """What an entity is called."""

    mark: str
    key: str
    semantic_id: str


def name_entities(reading: FileNodes) -> list[EntityNames]:
    place = place_of(reading.path)
    paths = [entity_path(entity, place) for entity in reading.entities]
    names: list[EntityNames] = []
    marks: set[str] = set()
    for path, birth, node in zip(paths, choose_births(paths, 0), reading.entity_nodes, strict=True):
        key = f"{path}:T{birth}"
        mark = mint_mark(key, marks)
        marks.add(mark)
        names.append(EntityNames(mark, key, reading.semantic_ids[node]))
    return names


def entity_path(entity: Entity, place: str) -> str:
    return format_semantic_path(entity.language, entity.kind, entity.name, entity.parent, place)
