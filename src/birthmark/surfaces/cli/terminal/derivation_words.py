"""Derivations in plain words: `extracted from Cart.total (62 % of its code)`, `its code is in Invoice.sum (60 %)`.

Takes the other ends of derivations; gives a clause for each kind and commit. "Its code" is the code of what the clause
is about, and of what is little sure a clause starts with "perhaps".
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.documents.parts import CarrierDocument, DerivationDocument
from birthmark.documents.wording import DERIVATIVE_WORDS, SOURCE_WORDS, plain
from birthmark.vocabulary import Confidence, DerivationKind
from birthmark.words import lines_of, place_elsewhere, short

_ITS_CODE = "its code"
_NOW_IN = f"{_ITS_CODE} is now in {{}}"
_NAMED = 3  # of several ends; the others are counted

Measured = tuple[DerivationDocument | CarrierDocument, float]  # and the share of the code of what it is about


def describe_sources(ends: Sequence[DerivationDocument], path: str, *, with_commits: bool = False) -> list[str]:
    """Describe the sources of the definition at `path`."""
    return _clauses(SOURCE_WORDS, [(end, end.share) for end in ends], path, with_commits=with_commits)


def describe_derivatives(ends: Sequence[DerivationDocument], path: str, *, with_commits: bool = False) -> list[str]:
    return _clauses(DERIVATIVE_WORDS, [(end, end.source_share) for end in ends], path, with_commits=with_commits)


def describe_descent(
    derived_from: Sequence[DerivationDocument],
    derivatives: Sequence[DerivationDocument],
    carriers: Sequence[CarrierDocument],
    path: str,
) -> list[str]:
    """Describe the descent of code; the last clause names the definitions that contain deleted code."""
    carried = [(carrier, carrier.source_share) for carrier in carriers]
    return [
        *describe_sources(derived_from, path, with_commits=True),
        *([] if carriers else describe_derivatives(derivatives, path, with_commits=True)),
        *(_say(_NOW_IN, some, path) for some in _by_sureness(carried)),
    ]


def carrier_row(carrier: CarrierDocument) -> tuple[str, str, str]:
    """Its place, its mark, and how the code came there."""
    place = carrier.place
    path = plain(place_elsewhere(carrier.repository, place.path))
    where = f"{path}:{lines_of(place.start_line, place.end_line)}"
    steps = [step.kind.split()[0] for step in carrier.steps]
    return where, carrier.mark or "", f"{plain(place.qualified_name)} ({', then '.join(steps)})"


def percent(share: float) -> str:
    """`62 %`; only what is whole is 100 %."""
    return f"{min(round(share * 100), 100 if share >= 1 else 99) or 1} %"


def _clauses(
    words: dict[DerivationKind, str], ends: Sequence[tuple[DerivationDocument, float]], path: str, *, with_commits: bool
) -> list[str]:
    groups: dict[tuple[DerivationKind, str], list[tuple[DerivationDocument, float]]] = {}
    for end, share in ends:
        groups.setdefault((end.kind, _commit(end) if with_commits else ""), []).append((end, share))
    return [
        _say(words[kind], some, path) + commit
        for (kind, commit), alike in groups.items()
        for some in _by_sureness(alike)
    ]


def _by_sureness(ends: Sequence[Measured]) -> list[list[Measured]]:
    """Those that are little sure come last, and by themselves."""
    sure = [measured for measured in ends if not _is_unsure(measured)]
    return [some for some in (sure, [measured for measured in ends if _is_unsure(measured)]) if some]


def _is_unsure(measured: Measured) -> bool:
    return measured[0].confidence == Confidence.LOW


def _say(words: str, ends: list[Measured], path: str) -> str:
    """Fill in the words; a single end also gets its percentage."""
    perhaps = "perhaps " if _is_unsure(ends[0]) else ""
    if len(ends) > 1 or words.startswith(_ITS_CODE):
        return perhaps + words.format(_named(ends, path))
    end, share = ends[0]
    return perhaps + words.format(f"{_name(end, path)} ({percent(share)} of {_ITS_CODE})")


def _commit(end: DerivationDocument) -> str:
    """A run of the index that is no replay finds what any commit before it did."""
    return f" in {short(end.commit)}" if end.commit is not None and end.by_commit else ""


def _named(ends: list[Measured], path: str) -> str:
    named = [f"{_name(end, path)} ({percent(share)})" for end, share in ends[:_NAMED]]
    rest = [f"{len(ends) - _NAMED:,} more"] if len(ends) > _NAMED else []
    *first, last = [*named, *rest]
    return f"{', '.join(first)} and {last}" if first else last


def _name(end: DerivationDocument | CarrierDocument, path: str) -> str:
    place, repository = end.place, end.repository
    is_near = place.path == path and repository is None
    return plain(
        place.qualified_name if is_near else f"{place_elsewhere(repository, place.path)}::{place.qualified_name}"
    )
