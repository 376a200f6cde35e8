"""Semantic ids: computed for every node from file, type, name and parent, without lines or offsets.

file->TYPE->name[in:parent]              the base id
file->TYPE->name[in:parent,h:xxxx]       shared by several nodes: with a hash of the content
file->TYPE->name[in:parent,h:xxxx]#N     identical contents: numbered in source order
file->PARAMETER->name#position[in:parent]
EXTERNAL_MODULE->name

`resolve_ids` takes all candidates of a file together: all nodes that share a base id are promoted, in whatever order
they were found.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
import xxhash

from birthmark.model import Node

EXTERNAL = "EXTERNAL_MODULE"
GLOBAL = "global"
_FNV_OFFSET, _FNV_PRIME, _FNV_MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF
_MISSING = "0000"  # the hash of a missing initializer
_BREAKS_PARENT = re.compile(r"[%\[\],]")
_ENCODED = re.compile(r"%([0-9A-F]{2})")
_REST = re.compile(
    r"(?P<name>.*)\[in:(?P<parent>[^\[\],]*)(?:,h:(?P<hash>[0-9a-f]{4}(?:[0-9a-f]{4})?))?\](?:#(?P<counter>\d+))?",
    re.DOTALL,
)

_TYPE = re.compile(r"[A-Z][A-Z_]*")


class SemanticId(msgspec.Struct, frozen=True):
    """The parts of a semantic id."""

    file: str
    type: str
    name: str
    named_parent: str = GLOBAL
    content_hash: str | None = None
    counter: int | None = None
    position: int | None = None

    def __str__(self) -> str:
        base = base_id(self.file, self.type, self.name, self.named_parent, self.position)
        return promote(base, self.content_hash, self.counter)


def base_id(file: str, type_: str, name: str, named_parent: str, position: int | None = None) -> str:
    """Return the id of a node whose base id is unique."""
    node = Node(type_, name, named_parent, 1, 1, 0, 0, None, position, -1)
    return base_ids([node], {-1: file})[0]


def base_ids(nodes: Iterable[Node], files: Mapping[int, str]) -> list[str]:
    """Return the base ids of a file's nodes; `files` maps segments to virtual paths, and -1 to the path."""
    prefixes = {segment: encode_file(file) + "->" for segment, file in files.items()}
    suffixes: dict[str, str] = {}  # by parent
    ids = []
    for node in nodes:
        name, parent = node.name, node.named_parent
        if node.type == EXTERNAL:
            ids.append(f"{EXTERNAL}->{name}")
            continue
        suffix = suffixes.get(parent)
        if suffix is None:
            suffix = suffixes[parent] = f"[in:{_BREAKS_PARENT.sub(_percent, parent)}]"
        if node.position is not None:
            name = f"{name}#{node.position}"
        ids.append(f"{prefixes[node.segment]}{node.type}->{name}{suffix}")
    return ids


def promote(base: str, digits: str | None, counter: int | None = None) -> str:
    """Make a shared base id unique with a hash of the content and, if needed, a counter."""
    hashed = base if digits is None else f"{base.removesuffix(']')},h:{digits}]"
    return hashed if counter is None else f"{hashed}#{counter}"


def parse_semantic_id(text: str) -> SemanticId | None:
    """Parse a semantic id; None for any other text."""
    file, arrow, rest = text.partition("->")
    if not arrow:
        return None
    if file == EXTERNAL:
        return SemanticId("", EXTERNAL, rest)
    type_, arrow, rest = rest.partition("->")
    match = _REST.fullmatch(rest)
    if not arrow or not _TYPE.fullmatch(type_) or match is None:
        return None
    name, position = match["name"], None
    if type_ == "PARAMETER" and (split := re.fullmatch(r"(.*)#(\d+)", name, re.DOTALL)):
        name, position = split[1], int(split[2])
    counter = int(match["counter"]) if match["counter"] else None
    return SemanticId(_decode(file), type_, name, _decode(match["parent"]), match["hash"], counter, position)


def fnv1a(text: bytes) -> int:
    """Return the 32-bit FNV-1a hash."""
    value, prime, mask = _FNV_OFFSET, _FNV_PRIME, _FNV_MASK
    for byte in text:
        value = (value ^ byte) * prime & mask
    return value


def digest_content(content: bytes, context: int = 0) -> str:
    """Digest content, so that FNV-1a, which is slow in Python, has little to hash."""
    return xxhash.xxh32_hexdigest(content, context)


def content_hash(digest: str | None, digits: int = 4) -> str:
    """Return the first hex digits of a digest's FNV-1a; zeros for a missing initializer."""
    if digest is None:
        return _MISSING * (digits // 4)
    return f"{fnv1a(digest.encode()):08x}"[:digits]


def encode_file(file: str) -> str:
    """Escape an arrow in a path, and a file whose name is the prefix of external modules."""
    if "%" in file or "->" in file:
        file = file.replace("%", "%25").replace("->", "-%3E")
    return "%45" + file[1:] if file == EXTERNAL else file


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def _decode(text: str) -> str:
    return _ENCODED.sub(lambda match: chr(int(match[1], 16)), text) if "%" in text else text


def resolve_ids(bases: Sequence[str], digest_of: Callable[[int], str | None]) -> tuple[list[str], int, int, int]:
    """Return the final ids, and the numbers of nodes with a shared base id, a longer hash, and only a counter.

    `digest_of` computes the digest of a candidate's content; it is called only for candidates that collide.
    """
    ids = list(bases)
    n_colliding = n_widened = n_counted = 0
    for base, members in _find_groups(bases).items():
        digests = [digest_of(index) for index in members]
        hashes = {digest: content_hash(digest) for digest in digests}
        if len(set(hashes.values())) < len(hashes):
            hashes = {digest: content_hash(digest, 8) for digest in hashes}
            n_widened += len(members)
        n_colliding += len(members)
        n_counted += _promote(ids, base, members, [hashes[digest] for digest in digests])
    return ids, n_colliding, n_widened, n_counted


def _find_groups(bases: Sequence[str]) -> dict[str, list[int]]:
    """Group candidates by shared base ids; most are unique."""
    first: dict[str, int] = {}
    groups: dict[str, list[int]] = {}
    for index, base in enumerate(bases):
        earlier = first.setdefault(base, index)
        if earlier != index:
            groups.setdefault(base, [earlier]).append(index)
    return groups


def _promote(ids: list[str], base: str, members: list[int], hashes: list[str]) -> int:
    """Append a hash and, if that is not enough, a counter; return the number of counters."""
    same: defaultdict[str, list[int]] = defaultdict(list)
    for index, digits in zip(members, hashes, strict=True):
        same[digits].append(index)
    n_counted = 0
    for digits, twins in same.items():
        if len(twins) == 1:
            ids[twins[0]] = promote(base, digits)
            continue
        n_counted += len(twins)
        for counter, index in enumerate(twins):
            ids[index] = promote(base, digits, counter)
    return n_counted
