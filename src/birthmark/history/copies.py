"""Find the definitions that an introduced one was copied from, also in files that its commit did not touch.

Takes the pairings of a repository and the Step of an introduction; gives DerivationSources, the likeliest first. Git
finds the files of the parent that have the longest lines of the body; those are extracted and their bodies compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import commonpath

from birthmark.comparison.match_candidates import WEIGHTY
from birthmark.comparison.own_code import tokens_of_spans
from birthmark.extraction.model import OutlinedEntity
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.lineage import DerivationSource, EntityAtCommit, Step, entity_at_commit
from birthmark.matching.derivations import SURE_TOKENS
from birthmark.model import DerivationEnd
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

_MOST_FILES = 20  # of the parent that are extracted
_MOST_SOURCES = 3  # of the same body: which one was copied is not known
_MOST_LINES = 3
_LONGEST = 200  # bytes of a line that are looked for


def find_copies(pairings: CommitPairings, step: Step) -> list[DerivationSource[EntityAtCommit]]:
    """Return the definitions of the parent that have the body of an introduced one and stay in the commit."""
    new = _introduced(pairings, step)
    if new is None or step.parent is None:
        return []
    found = _not_deleted(pairings, step, [*_same_bodies(pairings, new, step.parent)])
    found.sort(key=lambda old: (old.entity.name != new.entity.name, *_distance(new.file.path, old.file.path)))
    return [_source(pairings, step, old, new) for old in found[:_MOST_SOURCES]]


def _introduced(pairings: CommitPairings, step: Step) -> OutlinedEntity | None:
    """Return the entity of a step; None if its body is too light to tell where it came from."""
    blob = pairings.repository.blob(step.commit, step.after.path)
    file = pairings.state(step.after.path, blob) if blob is not None else None
    return next((one for one in (file.outlined if file else ()) if one.location == step.after and _has_body(one)), None)


def _has_body(one: OutlinedEntity) -> bool:
    return one.fingerprint.body is not None and one.weight >= WEIGHTY


def _same_bodies(pairings: CommitPairings, new: OutlinedEntity, parent: str) -> Iterator[OutlinedEntity]:
    repository, lines = pairings.repository, _longest_lines(new)
    family = repository.family_of(new.entity.language)
    paths = repository.paths_with_lines(parent, lines) if lines else []
    blobs = {path: repository.blob(parent, path) for path in paths if _family(pairings, path) in (family, None)}
    nearest = sorted(blobs.items(), key=lambda file: _distance(new.file.path, file[0]))[:_MOST_FILES]
    repository.outlines([(blob, path) for path, blob in nearest if blob is not None])  # together, on all cores
    for path, blob in nearest:
        file = pairings.state(path, blob) if blob is not None else None
        if file is not None and repository.family_of(file.outline.language) == family:
            entities = [OutlinedEntity(file, number) for number in range(len(file.outline.entities))]
            yield from (one for one in entities if one.fingerprint.body == new.fingerprint.body and _has_body(one))


def _family(pairings: CommitPairings, path: str) -> str | None:
    """Return the family of a file's language, if its path tells it."""
    language = pairings.repository.language_of(path)
    return pairings.repository.family_of(language) if language is not None else None


def _longest_lines(entity: OutlinedEntity) -> Sequence[bytes]:
    """Return the longest lines of a body, which are its most distinctive ones; those in ASCII are in any encoding."""
    content = entity.file.source()
    texts = [content[start:end] for start, end in entity.entity.body_spans]
    lines = {line.strip()[:_LONGEST] for text in texts for line in text.splitlines() if b"\0" not in line}
    ordered = sorted((line for line in lines if line), key=lambda line: (not line.isascii(), -len(line), line))
    return [line for line in ordered if not line.startswith((b"#", b"//", b"/*", b"*", b"--"))][:_MOST_LINES]


def _distance(path: str, other: str) -> tuple[int, str]:
    return -len(commonpath([path, other])), other


def _not_deleted(pairings: CommitPairings, step: Step, found: list[OutlinedEntity]) -> list[OutlinedEntity]:
    """Leave out what the commit deleted: that was not copied."""
    if not found or step.parent is None:
        return found
    commit = pairings.whole(step.parent, step.commit)
    deleted = {(commit.old[f].path, ordinal) for f, ordinal in commit.pairing.deleted}
    return [one for one in found if one.key not in deleted]


def _source(
    pairings: CommitPairings, step: Step, old: OutlinedEntity, new: OutlinedEntity
) -> DerivationSource[EntityAtCommit]:
    path, parent, repository = old.file.path, step.parent or "", pairings.repository
    entity = entity_at_commit(
        repository, parent, path, repository.blob(parent, path) or "", old.file.outline, old.ordinal
    )
    n_tokens = len(tokens_of_spans(new.file.source(), new.entity.body_spans))
    confidence = Confidence.HIGH if n_tokens >= SURE_TOKENS else Confidence.LOW
    kind, evidence = DerivationKind.COPIED, DerivationEvidence.SAME_BODY
    end = DerivationEnd(old.location, kind, 1.0, 1.0, evidence, confidence, commit=step.commit, by_commit=True)
    return DerivationSource(end, entity)
