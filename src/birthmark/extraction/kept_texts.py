"""Texts that an index keeps next to outlines: manifests, and the reasons that sources cannot be extracted.

They are rows of the cache of extractions, by git's id of the content; manifests have an empty language and an extractor
of their own. So their texts are found by content id, and nothing gets an identity.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from birthmark.extraction.codec import FORMAT, pack_source, unpack_source
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.store.model import ContentKey, PackedExtraction, SnapshotFile
from birthmark.store.port import ExtractionStore

_NO_LANGUAGE = ""
_NO_EXTRACTOR = f"text {FORMAT}"  # Only the packing can change.


def keep_texts(store: ExtractionStore, contents: Iterable[tuple[bytes, bytes]]) -> None:
    """Put texts into the cache by content id."""
    put_texts(store, [((content_id, _NO_LANGUAGE), content) for content_id, content in contents])


def kept_manifests(store: ExtractionStore, files: Mapping[str, SnapshotFile]) -> dict[str, str]:
    """Return the texts of the manifests among some files, by path."""
    is_manifest = load_registry().is_manifest
    keys = {path: (file.content, _NO_LANGUAGE) for path, file in files.items() if is_manifest(path)}
    texts = find_texts(store, set(keys.values()))
    return {path: texts[key] for path, key in keys.items() if key in texts}


def put_texts(
    store: ExtractionStore, texts: Iterable[tuple[ContentKey, bytes]], extractor: str = _NO_EXTRACTOR
) -> None:
    packed = [(key, _packed(text)) for key, text in texts]
    if packed:
        store.put_extractions(extractor, packed)


def find_texts(
    store: ExtractionStore, keys: Collection[ContentKey], extractor: str = _NO_EXTRACTOR
) -> dict[ContentKey, str]:
    numbers = store.extractions(keys, extractor, Level.ENTITIES) if keys else {}
    sources = {key: store.source(number) for key, number in numbers.items() if key in keys}
    return {key: unpack_source(source).decode("utf-8", "replace") for key, source in sources.items() if source}


def _packed(content: bytes) -> PackedExtraction:
    return PackedExtraction(Level.OUTLINE, b"", pack_source(content), None, 0, 0, 0, 0, b"")
