"""Render what is extracted from a case as text, one thing a line."""

from __future__ import annotations

from birthmark.extraction.model import FileNodes
from birthmark.extraction.read import read_source
from birthmark.languages.registry import load_registry
from birthmark.model import Entity, Node, Segment


def render_case(path: str, source: bytes) -> str:
    registry = load_registry()
    spec = registry.detect(path, None, lambda: source)
    assert spec is not None, f"no language for {path}"
    return render_reading(read_source(path, source, spec, registry), source)


def render_reading(reading: FileNodes, source: bytes) -> str:
    segments = [render_segment(segment, source) for segment in reading.segments]
    entities = [render_entity(entity) for entity in reading.entities]
    nodes = [render_node(node) for node in reading.nodes]
    return "\n".join([*segments, *entities, "---", *nodes]) + "\n"


def render_segment(segment: Segment, source: bytes) -> str:
    lines = [source.count(b"\n", 0, offset) + 1 for offset in (segment.start_byte, segment.end_byte - 1)]
    return f"segment {segment.type} {segment.language} {lines[0]}-{lines[1]}"


def render_entity(entity: Entity) -> str:
    words = [entity.kind, entity.qualified_name, f"{entity.start_line}-{entity.end_line}"]
    words += ["doc"] if entity.documentation_span else []
    words += [decorator if decorator.startswith("@") else f"@{decorator}" for decorator in entity.decorators]
    words += [f": {base.relation} {base.name}" for base in entity.bases]
    return " ".join(words)


def render_node(node: Node) -> str:
    position = "" if node.position is None else f"#{node.position}"
    return f"{node.type} {node.name}{position} in {node.named_parent} {node.start_line}"
