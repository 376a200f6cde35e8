"""Name the changes of an entity between two states.

`name_change` gives one word, the boldest: an entity that is relocated, renamed and modified is `relocated`. Its aspects
come from `compare_fingerprints`. `find_changes` compares declarations in the vocabulary of histories, and
`find_link_changes` adds changes of name and place from the pairing of a commit; walked histories and replays both use
it, so that they have the same words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from birthmark.entities.signatures import Signature, parse_signature
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import DIFF_CHANGES, Aspect, Change, HistoryChange

if TYPE_CHECKING:
    from birthmark.comparison.pair_commit import CommitPairing

COMPARED = (*DIFF_CHANGES, Change.UNCHANGED)  # in the order of their counts


def name_change(before: OutlinedEntity, after: OutlinedEntity) -> Change:
    """Return one word for the change: another file, name, code, lines or parent; or nothing."""
    old, new = before.entity, after.entity
    if before.file.path != after.file.path:
        return Change.RELOCATED
    if old.name != new.name:
        return Change.RENAMED
    if compare_fingerprints(before.fingerprint, after.fingerprint):
        return Change.MODIFIED
    if (old.start_line, old.end_line, old.parent) != (new.start_line, new.end_line, new.parent):
        return Change.MOVED
    return Change.UNCHANGED


class Fingerprinted(Protocol):
    """The fingerprints of an entity, in any form."""

    @property
    def content(self) -> str: ...
    @property
    def interface(self) -> str: ...
    @property
    def body(self) -> str | None: ...
    @property
    def documentation(self) -> str | None: ...
    @property
    def text(self) -> str: ...
    @property
    def version(self) -> int: ...


def compare_fingerprints(old: Fingerprinted, new: Fingerprinted) -> tuple[Aspect, ...]:
    """Return the aspects that changed; FORMATTING means that only layout and comments did."""
    if old == new:
        return ()
    if old.version != new.version:
        return ()  # They cannot be compared: the extractor changed, not the code.
    differs = {
        Aspect.INTERFACE: old.interface != new.interface,
        Aspect.BODY: old.body != new.body,
        Aspect.DOCUMENTATION: old.documentation != new.documentation,
    }
    aspects = tuple(aspect for aspect, is_other in differs.items() if is_other)
    if not aspects and old.text != new.text and old.content == new.content:
        return (Aspect.FORMATTING,)
    return aspects


CONTAINERS = CLASS_LIKE | {"mod", "namespace"}
_WITH_BODIES = FUNCTION_LIKE | {"table", "view"}
_NAMED_ARGUMENT = re.compile(r"\w+=(?!=)")
_SEPARATORS = dict.fromkeys(map(ord, ",;()"))
Files = Sequence[OutlinedFile]


def find_changes(old: OutlinedEntity, new: OutlinedEntity) -> list[HistoryChange]:
    """Return changes other than those of name and place; layout and comments only if nothing else changed."""
    changes = list(dict.fromkeys([*_value_changes(old, new), *_head_changes(old, new)]))
    is_documented = old.fingerprint.documentation != new.fingerprint.documentation
    if is_documented:
        changes.append(HistoryChange.DOCUMENTATION)
    if not changes and old.entity.name == new.entity.name and not _names_other_type(old, new):
        changes += _cosmetic_changes(old, new)
    return changes


def _names_other_type(old: OutlinedEntity, new: OutlinedEntity) -> bool:
    """Return True if the head of a method outside its type, as in Go, names another type."""
    is_outside = new.entity.container < 0 and new.entity.parent is not None
    return is_outside and old.entity.parent != new.entity.parent


def _value_changes(old: OutlinedEntity, new: OutlinedEntity) -> list[HistoryChange]:
    """Return changes of body or initializer; members of a container have their own histories."""
    kind, before, after = new.entity.kind, old.fingerprint.body, new.fingerprint.body
    if before == after or kind in CONTAINERS:
        return []
    if kind in _WITH_BODIES:
        return [HistoryChange.BODY]
    return [
        HistoryChange.INITIALIZER_ADDED
        if before is None
        else HistoryChange.INITIALIZER_REMOVED
        if after is None
        else HistoryChange.INITIALIZER
    ]


def _head_changes(old: OutlinedEntity, new: OutlinedEntity) -> list[HistoryChange]:
    if old.fingerprint.interface == new.fingerprint.interface:
        return []
    before = parse_signature(old.entity.signature, old.entity.name)
    after = parse_signature(new.entity.signature, new.entity.name)
    if new.entity.kind in CONTAINERS:
        before, after = _of_container(before), _of_container(after)
    changes = [word for word, part in _PARTS.items() if getattr(before, part) != getattr(after, part)]
    if before.type != after.type:
        changes.append(HistoryChange.RETURN_TYPE if new.entity.kind in FUNCTION_LIKE else HistoryChange.TYPE)
    if before.keywords != after.keywords and new.entity.kind in CONTAINERS:
        changes.append(HistoryChange.TYPE)
    if sorted(old.entity.decorators) != sorted(new.entity.decorators):
        changes.append(HistoryChange.ANNOTATION)
    if old.entity.bases != new.entity.bases:
        changes.append(HistoryChange.INHERITANCE)
    if not changes and new.entity.kind in FUNCTION_LIKE and _bare_head(old) != _bare_head(new):
        changes.append(HistoryChange.MODIFIER)  # Something in the head that nothing here has a word for.
    return _only_declared(changes, new.entity.kind)


def _of_container(signature: Signature) -> Signature:
    """Return the signature with named arguments in the list of bases, as `metaclass=Meta`, among the modifiers."""
    named = tuple(part for part in signature.parameters if _NAMED_ARGUMENT.match(part))
    others = tuple(part for part in signature.parameters if part not in named)
    passed = (signature.initializers,) if signature.initializers else ()
    return signature._replace(parameters=others, modifiers=(*signature.modifiers, *named, *passed), initializers="")


_PARTS = {
    HistoryChange.BODY: "initializers",
    HistoryChange.PARAMETER: "parameters",
    HistoryChange.TYPE_PARAMETER: "type_parameters",
    HistoryChange.MODIFIER: "modifiers",
    HistoryChange.ACCESS_MODIFIER: "access",
    HistoryChange.EXCEPTION: "exceptions",
}


def _bare_head(outlined: OutlinedEntity) -> str:
    """Return the head without names, white space and separators."""
    entity = outlined.entity
    head = entity.signature.replace(entity.name, "", 1)
    if entity.parent and entity.container < 0:
        head = head.replace(entity.parent.rpartition(".")[2], "", 1)
    return "".join(head.split()).translate(_SEPARATORS)


def _only_declared(changes: list[HistoryChange], kind: str) -> list[HistoryChange]:
    """Return changes without those that inheritance covers: the bases of a class follow its name."""
    if kind in CONTAINERS and HistoryChange.INHERITANCE in changes:
        return [change for change in changes if change not in (HistoryChange.TYPE, HistoryChange.PARAMETER)]
    return changes


def _cosmetic_changes(old: OutlinedEntity, new: OutlinedEntity) -> list[HistoryChange]:
    """Return DOCUMENTATION for comments, FORMAT for white space."""
    before, after = _own_text(old), _own_text(new)
    if before == after:
        return []
    if b"".join(before.split()) == b"".join(after.split()):
        return [HistoryChange.FORMAT]
    is_same_code = old.fingerprint.content == new.fingerprint.content or new.entity.kind in CONTAINERS
    return [HistoryChange.DOCUMENTATION if is_same_code else HistoryChange.FORMAT]


def _own_text(outlined: OutlinedEntity) -> bytes:
    """Return the text of an entity; that of a container ends before its members."""
    entity, text = outlined.entity, outlined.read_text()
    if entity.kind not in CONTAINERS or entity.body_span is None:
        return text
    return text[: entity.body_span[0] - entity.lead_start].rstrip()


def find_link_changes(
    old: Files, new: Files, pairing: CommitPairing, old_ref: EntityRef, new_ref: EntityRef
) -> list[HistoryChange]:
    """Return the changes between two entities of a pair, none if it is as it was; a shift of lines is no change."""
    old_file, new_file = old[old_ref[0]], new[new_ref[0]]
    before, after = OutlinedEntity(old_file, old_ref[1]), OutlinedEntity(new_file, new_ref[1])
    changes = [HistoryChange.RENAME] if before.entity.name != after.entity.name else []
    is_elsewhere = (old_file.path, before.entity.parent) != (new_file.path, after.entity.parent)
    if is_elsewhere or not have_same_package(old_file, new_file, after.entity.language):
        has_container = _moved_with_container(old, new, pairing, old_ref, new_ref)
        changes.append(HistoryChange.CONTAINER if has_container else HistoryChange.MOVED)
    return changes + find_changes(before, after)


def is_verbatim(old_file: OutlinedFile, e: int, new_file: OutlinedFile, d: int) -> bool:
    """Return True if two entities at one path have the same name, parent and text, with the comments above them."""
    if old_file.outline.fingerprints[e] != new_file.outline.fingerprints[d] or old_file.path != new_file.path:
        return False
    old, new = old_file.outline.entities[e], new_file.outline.entities[d]
    if old.name != new.name or old.parent != new.parent:
        return False
    if old.lead_start == old.start_byte and new.lead_start == new.start_byte:
        return True
    return OutlinedEntity(old_file, e).read_text() == OutlinedEntity(new_file, d).read_text()


def package_of(content: bytes, language: str) -> list[bytes]:
    """Return the package or namespace that a file declares, which counts as a container."""
    spec = load_registry().languages.get(language)
    keyword = spec.package_keyword.encode() if spec else b""
    found = re.search(rb"^[ \t]*%s[ \t]+[\w.\\]+" % keyword, content, re.M) if keyword else None
    return [found[0].strip()] if found else []


def have_same_package(old: OutlinedFile, new: OutlinedFile, language: str) -> bool:
    spec = load_registry().languages.get(language)
    if spec is None or not spec.package_keyword:
        return True
    return package_of(old.source(), language) == package_of(new.source(), language)


def _moved_with_container(
    old: Files, new: Files, pairing: CommitPairing, old_ref: EntityRef, new_ref: EntityRef
) -> bool:
    """Return True if the container of an entity, or at top level its file, moved along with it."""
    before = old[old_ref[0]].outline.entities[old_ref[1]]
    after = new[new_ref[0]].outline.entities[new_ref[1]]
    container = pairing.predecessors.get((new_ref[0], after.container))
    if container is not None and container.ref == (old_ref[0], before.container):
        return True
    if before.container >= 0 or after.container >= 0:
        return False
    old_path, new_path = old[old_ref[0]].path, new[new_ref[0]].path
    if (before.parent, after.parent) == (None, None):
        return new_path in (old_path, pairing.files.get(old_path))
    return _most_members_moved(old, new, pairing, (old_ref[0], new_ref[0]), (before.parent, after.parent))


def _most_members_moved(
    old: Files, new: Files, pairing: CommitPairing, files: tuple[int, int], parents: tuple[str | None, str | None]
) -> bool:
    """Return True if most methods outside their types that named the old type name the new one now."""
    befores, afters = old[files[0]].outline.entities, new[files[1]].outline.entities
    went = [
        file == files[1] and afters[after].parent == parents[1]
        for (file, after), ((old_file, before), *_) in pairing.predecessors.items()
        if old_file == files[0] and befores[before].parent == parents[0]
    ]
    return 2 * went.count(True) > len(went)
