"""The links that Birthmark finds between two states, as any other tool would give them."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha1

from birthmark.comparison.derivations import find_commit_derivations
from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.extraction.read import read_entities
from birthmark.languages.registry import load_registry
from refactoring.scoring import Key, Link


def find_links(old: dict[str, str], new: dict[str, str], language: str) -> Iterator[Link]:
    """Of the files that differ."""
    changed = {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
    states = [
        _outlined({path: texts[path] for path in sorted(changed & texts.keys())}, language) for texts in (old, new)
    ]
    ids = _content_ids(states[0]), _content_ids(states[1])
    pairing = pair_commit(states[0], states[1], load_registry().family_of, ids=ids)
    for ref, predecessor in pairing.predecessors.items():
        yield Link(_key(states[0], predecessor.ref), _key(states[1], ref))
    for found in find_commit_derivations(states[0], states[1], pairing, load_registry().family_of):
        yield Link(_key(states[0], found.source), _key(states[1], found.derivative), is_same=False)
    for path in old.keys() & new.keys() - changed:
        yield from (Link(key, key) for key in _keys(old[path], path, language))


def _outlined(texts: dict[str, str], language: str) -> list[OutlinedFile]:
    return [_outlined_file(path, text, language) for path, text in texts.items()]


def _outlined_file(path: str, text: str, language: str) -> OutlinedFile:
    registry = load_registry()
    spec = registry.named(language)
    assert spec is not None
    content = text.encode()
    return OutlinedFile(path, read_entities(content, spec, registry), lambda: content)


def _content_ids(files: list[OutlinedFile]) -> dict[str, str | None]:
    return {file.path: sha1(file.source(), usedforsecurity=False).hexdigest() for file in files}


def _keys(text: str, path: str, language: str) -> list[Key]:
    files = [_outlined_file(path, text, language)]
    return [_key(files, (0, index)) for index in range(len(files[0].outline.entities))]


def _key(files: list[OutlinedFile], ref: EntityRef) -> Key:
    """The line of its name; where it has none of its own, the first one."""
    file = files[ref[0]]
    entity, source = file.outline.entities[ref[1]], file.source()
    start, end = entity.name_span or (entity.start_byte, entity.start_byte)
    name = source[start:end].decode() or entity.name  # An accessor is called `get:x`, and written `x`.
    return file.path, source.count(b"\n", 0, start) + 1, name
