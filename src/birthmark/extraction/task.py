"""What a worker does: bytes in, bytes out, without knowing who asked. Any way to run it elsewhere attaches here."""

from __future__ import annotations

from birthmark.extraction.codec import Task, decode_task, encode_result, pack, pack_encoded
from birthmark.extraction.model import Interior
from birthmark.extraction.native_outline import read_native
from birthmark.extraction.read import outline_of, read_entities, read_interior, read_outline, read_source
from birthmark.languages.registry import load_registry
from birthmark.model import Level
from birthmark.store.model import PackedExtraction


def run_task(payload: bytes) -> bytes:
    return encode_result(_extract(decode_task(payload)))


def _extract(task: Task) -> PackedExtraction | Interior:
    registry = load_registry()
    spec = registry.languages[task.language]
    encoded = read_native(task.content, spec, task.level, task.options.chunk_sizes)
    if encoded is not None:
        return pack_encoded(task, encoded)
    if task.level is Level.INTERIOR:
        return read_interior(task.content, spec, registry)
    if task.level is Level.ENTITIES:
        return pack(task, read_entities(task.content, spec, registry))
    if task.level is Level.OUTLINE:
        return pack(task, read_outline(task.content, spec, registry, task.options))
    file_nodes = read_source("", task.content, spec, registry, task.options)
    return pack(task, outline_of(file_nodes), file_nodes)
