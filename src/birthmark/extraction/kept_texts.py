"""Texts that an index keeps beside outlines: those of manifests, and why sources cannot be extracted.

They are in the cache of extractions like all sources, by git's id of the content; manifests as if read in no language
by no extractor. So whatever has a file's content id has its text, and nothing gets an identity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from birthmark.extraction.codec import FORMAT, pack_source, unpack_source
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.store.model import ContentKey, PackedExtraction, SnapshotFile
from birthmark.store.port import Store

_NO_LANGUAGE = ""
_NO_EXTRACTOR = f"text {FORMAT}"  # nothing but the packing can change


def keep_texts(store: Store, contents: Iterable[tuple[bytes, bytes]]) -> None:
    """Put texts into the cache, by their content ids."""
    put_texts(store, [((content_id, _NO_LANGUAGE), content) for content_id, content in contents])


def kept_manifests(store: Store, files: Mapping[str, SnapshotFile]) -> dict[str, str]:
    """The texts of the manifests among some files, by path."""
    is_manifest = load_registry().is_manifest
    keys = {path: (file.content, _NO_LANGUAGE) for path, file in files.items() if is_manifest(path)}
    texts = find_texts(store, set(keys.values()))
    return {path: texts[key] for path, key in keys.items() if key in texts}


def put_texts(store: Store, texts: Iterable[tuple[ContentKey, bytes]], extractor: str = _NO_EXTRACTOR) -> None:
    packed = [(key, _packed(text)) for key, text in texts]
    if packed:
        store.put_extractions(extractor, packed)


def find_texts(store: Store, keys: Collection[ContentKey], extractor: str = _NO_EXTRACTOR) -> dict[ContentKey, str]:
    numbers = store.extractions(keys, extractor, Level.ENTITIES) if keys else {}
    sources = {key: store.source(number) for key, number in numbers.items() if key in keys}
    return {key: unpack_source(source).decode("utf-8", "replace") for key, source in sources.items() if source}


def _packed(content: bytes) -> PackedExtraction:
    return PackedExtraction(Level.OUTLINE, b"", pack_source(content), None, 0, 0, 0, 0, b"")
