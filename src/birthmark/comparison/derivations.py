"""What code came from where when a commit changed files: derivations between their entities."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.extraction.model import EntityRef
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind


class CommitDerivation(NamedTuple):
    """Code of an old entity, the source, that is in a new one, the derivative, which is not its successor."""

    source: EntityRef
    derivative: EntityRef
    kind: DerivationKind
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: DerivationEvidence
    confidence: Confidence
