"""Documents of derivations: where code came from, and where it went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from birthmark.comparison.derivations import DerivationEnd
from birthmark.documents.commits import ByCommit
from birthmark.documents.document import Document, doc, make
from birthmark.documents.locations import LocationDocument, RepositoryField
from birthmark.queries.life import Carrier
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind, RefStatus


class DerivationDocument(Document, frozen=True):
    """Code of one entity, the source, that is in another one, the derivative, which is not its successor.

    In `derived_from` it describes the source, in `derivatives` the derivative.
    """

    kind: DerivationKind
    place: Annotated[
        LocationDocument, doc("in `diff` and `history` as compared; else where it is now, or was before it was deleted")
    ]
    mark: Annotated[str | None, doc("null where no index knows it")]
    key: str | None
    status: Annotated[RefStatus | None, doc("whether it is `present` or `gone` now; null in `diff` and `history`")]
    share: Annotated[float, doc("how much of the derivative's code came from the source, 0 to 1")]
    source_share: Annotated[float, doc("how much of the source's code came into the derivative, 0 to 1")]
    evidence: DerivationEvidence
    confidence: Confidence
    commit: Annotated[str | None, doc("null in `diff`, and outside git")]
    by_commit: ByCommit
    repository: RepositoryField = None


class CarrierDocument(Document, frozen=True):
    """Something present that has code of something deleted, directly or by way of other derivatives."""

    place: LocationDocument
    mark: str | None
    key: str | None
    source_share: Annotated[
        float, doc("how much of the deleted one's code came there; after several steps an estimate, their product")
    ]
    confidence: Annotated[Confidence, doc("the least of all steps")]
    steps: Annotated[list[DerivationDocument], doc("derivations from the deleted one on, each by its derivative")]
    repository: RepositoryField = None


SourcesField = Annotated[list[DerivationDocument], doc("what its code came from; most of it first")]
DerivativesField = Annotated[list[DerivationDocument], doc("what its code came into; most of it first")]


CarriersField = Annotated[
    list[CarrierDocument], doc("what has its code now, if it is deleted; the one with most of it first")
]


def carrier_documents(carriers: Iterable[Carrier]) -> list[CarrierDocument]:
    return [
        make(
            CarrierDocument,
            carrier.end,
            source_share=carrier.source_share,
            confidence=carrier.confidence,
            steps=derivation_documents(carrier.steps),
        )
        for carrier in carriers
    ]


def derivation_documents(ends: Iterable[DerivationEnd]) -> list[DerivationDocument]:
    return [make(DerivationDocument, end, status=_status(end.is_present)) for end in ends]


def _status(is_present: bool | None) -> RefStatus | None:
    return None if is_present is None else RefStatus.PRESENT if is_present else RefStatus.GONE
