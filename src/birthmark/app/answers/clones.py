"""Find definitions in the index that are nearly the same: all of them, or the clones of one entity.

Without paths, tests, documentation and generated code are left out unless requested, because similar code is normal
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.app.answers.listing import from_root, paths_below, select_paths
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.comparison.own_code import own_spans, tokens_of_spans
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.listings import CloneDocument, CloneGroupDocument, ClonesDocument
from birthmark.errors import NotFoundError
from birthmark.matching.clones import FEWEST_TOKENS, Clone, find_clones, find_clones_of
from birthmark.model import CLASS_LIKE
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView


def read_words(session: Session, words: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The REF among words, if there is one, and the paths: what is a file or folder of the index is a path."""
    named = dict(zip(words, from_root(session, words), strict=True))
    paths = {word: name for word, name in named.items() if _is_path(session, name)}
    refs = [word for word in words if word not in paths]
    if len(refs) > 1:
        raise NotFoundError(f"{refs[1]}: is no file or folder of the index; only one REF can be given")
    return next(iter(refs), None), tuple(paths.values())


def _is_path(session: Session, name: str) -> bool:
    return session.view.file(name) is not None or bool(paths_below(session, "" if name == "." else name))


class Code(NamedTuple):
    """A definition, and the tokens that are its own."""

    identity: int
    tokens: Sequence[bytes]


def find_similar(
    session: Session, subject: IndexedEntity | None, paths: Sequence[str], share: float, *, with_all: bool
) -> ClonesDocument:
    """Return the clones of an entity, or of all, in some paths or in all files that count."""
    named = select_paths(session, paths, with_all=with_all)
    paths = sorted({*named, *([subject.entity.path] if subject is not None else ())})
    codes = [code for file in session.view.files(paths) for code in codes_of(session.view, file)]
    tokens = [code.tokens for code in codes]
    found = find_clones(tokens, share) if subject is None else _clones_of(subject, codes, tokens, share)
    return ClonesDocument(
        indexed_entity_document(subject) if subject is not None else None,
        _groups(session, codes, found),
        len(paths),
        len(codes),
        freshness_document(session.freshness),
    )


def codes_of(view: SnapshotView, file: IndexedFile) -> list[Code]:
    """Return the code of the definitions that are long enough, except types, whose members are compared instead."""
    source = view.source(file.version)
    if source is None:
        return []
    entities = file.outline.entities
    types = {entity.container for entity in entities} & {e for e, one in enumerate(entities) if one.kind in CLASS_LIKE}
    spans = enumerate(zip(file.version.identities, own_spans(entities), strict=True))
    codes = [Code(identity, tokens_of_spans(source, own)) for e, (identity, own) in spans if e not in types]
    return [code for code in codes if len(code.tokens) >= FEWEST_TOKENS]


def _clones_of(
    subject: IndexedEntity, codes: list[Code], tokens: list[Sequence[bytes]], least_share: float
) -> list[list[Clone]]:
    index = next((number for number, code in enumerate(codes) if code.identity == subject.identity), None)
    group = find_clones_of(tokens, index, least_share) if index is not None else []
    return [group] if group else []


def _groups(session: Session, codes: list[Code], groups: list[list[Clone]]) -> list[CloneGroupDocument]:
    identities = [codes[code].identity for group in groups for code, _ in group]
    held = session.view.hold_all(session.store.entities_of(session.view.number, identities))
    return [
        CloneGroupDocument(
            [CloneDocument(indexed_entity_document(held[codes[code].identity]), share) for code, share in group],
            len(codes[group[0][0]].tokens),
        )
        for group in groups
    ]
