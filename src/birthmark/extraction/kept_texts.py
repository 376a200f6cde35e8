"""Texts that an index keeps although they are in no language of ours: those of manifests.

They are in the cache of extractions like all sources, by git's id of the content, as if read in no language by no
extractor. So whatever has a file's content id has its text, and nothing gets an identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from birthmark.extraction.codec import FORMAT, pack_source, unpack_source
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.store.model import ContentKey, PackedExtraction, SnapshotFile
from birthmark.store.port import Store

_NO_LANGUAGE = ""
_NO_EXTRACTOR = f"text {FORMAT}"  # nothing but the packing can change


def keep_texts(store: Store, contents: Iterable[tuple[bytes, bytes]]) -> None:
    """Put texts into the cache, by their content ids."""
    packed = [(ContentKey(content_id, _NO_LANGUAGE), _packed(content)) for content_id, content in contents]
    if packed:
        store.put_extractions(_NO_EXTRACTOR, packed)


def kept_manifests(store: Store, files: Mapping[str, SnapshotFile]) -> dict[str, str]:
    """The texts of the manifests among some files, by path."""
    is_manifest = load_registry().is_manifest
    keys = {path: ContentKey(file.content, _NO_LANGUAGE) for path, file in files.items() if is_manifest(path)}
    numbers = store.extractions(set(keys.values()), _NO_EXTRACTOR, Level.ENTITIES) if keys else {}
    sources = {path: store.source(numbers[key]) for path, key in keys.items() if key in numbers}
    return {path: unpack_source(source).decode("utf-8", "replace") for path, source in sources.items() if source}


def _packed(content: bytes) -> PackedExtraction:
    return PackedExtraction(Level.OUTLINE, b"", pack_source(content), None, 0, 0, 0, 0, b"")
