"""The weights of evidence, by sort of entity: added up they are the logarithm of the odds that two are one.

A pair is likelier the more it leads its rivals: _LEADS are the weights of its own odds, and of the chance that it is
likelier than the best of the other candidates of the old and of the new entity.

`benchmarks/leftovers.py` fits the tables and writes them here.
"""

from __future__ import annotations

from math import exp

from birthmark.matching.agreement import Agreement
from birthmark.matching.model import FUNCTION, TYPE, VALUE

_SORTS = {VALUE: 0, FUNCTION: 1, TYPE: 2}
_OTHERWISE = 3

# Of values, functions, types, and whatever else there is.
_BIASES = (-6.95, -7.06, -5.35, -6.93)
_PARTS = {
    "name": (1.62, 2.49, 1.72, 2.94),
    "words": (0.47, 0.00, 0.18, 0.22),
    "characters": (1.24, 0.00, 1.44, 0.34),
    "rewriting": (1.65, 0.00, 4.25, 0.82),
    "renamed": (0.57, 0.00, 0.24, 0.00),
    "contradicted": (-0.48, -0.65, -0.44, -0.90),
    "tokens": (0.93, 0.65, 0.00, 0.76),
    "contained": (0.00, 1.43, 0.00, 1.22),
    "order": (0.00, 0.00, 0.56, 0.00),
    "body": (0.56, 0.68, 0.00, 0.34),
    "size": (0.36, 0.00, 0.00, 0.00),
    "kind": (0.00, 0.00, 1.35, 0.00),
    "scope": (1.58, 0.00, 0.06, 0.00),
    "file": (0.14, 0.00, 0.11, 0.00),
    "path": (0.80, 0.00, 0.36, 0.00),
    "flow": (2.87, 0.27, 0.42, 0.38),
    "company": (1.03, 0.96, 0.00, 0.62),
    "kin": (0.32, 0.18, 0.87, 0.00),
    "owners": (1.74, 3.44, 1.87, 2.88),
    "members": (0.00, 0.52, 2.65, 3.35),
    "neighbours": (4.09, 4.11, 2.17, 4.30),
    "slot": (0.45, 1.41, 1.65, 1.32),
    "parameters": (0.00, 0.14, 0.00, 0.00),
    "result": (0.00, 0.37, 0.00, 0.08),
    "uses": (1.30, 0.00, 0.00, 0.00),
    "places": (1.57, 0.78, 0.26, 1.11),
    "stays": (-1.45, -2.09, -1.32, -2.13),
    "unique": (0.66, 0.60, 0.00, 1.02),
    "light": (-1.15, -1.52, -0.50, -0.22),
}
PRODUCTS = {
    ("name", "tokens"): (0.08, -0.65, 0.11, -1.16),
    ("light", "tokens"): (-0.24, -0.10, 0.04, -1.26),
    ("light", "name"): (1.80, -1.57, 0.59, -0.76),
    ("scope", "tokens"): (1.01, 0.25, 0.63, 0.26),
    ("scope", "words"): (0.68, 2.22, 0.87, 1.70),
    ("name", "unique"): (1.12, 2.31, 3.41, 2.13),
    ("stays", "tokens"): (-0.02, 0.93, -1.05, 0.60),
    ("light", "scope"): (0.85, 1.31, 0.18, 0.74),
    ("tokens", "tokens"): (0.54, 2.87, 0.18, 2.76),
    ("order", "order"): (-0.77, 0.40, 1.98, 0.05),
}
_LEADS = {
    "bias": (-3.12, -3.62, -4.40, -3.70),
    "odds": (0.88, 0.74, 0.83, 0.75),
    "old": (1.63, 2.35, 3.48, 2.42),
    "new": (2.48, 2.60, 3.35, 2.68),
}

_COLUMNS = [
    (
        _BIASES[column],
        tuple(weights[column] for weights in _PARTS.values()),
        tuple(
            (Agreement._fields.index(one), Agreement._fields.index(other), weights[column])
            for (one, other), weights in PRODUCTS.items()
        ),
        tuple(weights[column] for weights in _LEADS.values()),
    )
    for column in range(len(_BIASES))
]


def log_odds(sort: str, agreement: Agreement) -> float:
    """Return the logarithm of the odds of a pair by itself."""
    bias, parts, products, _ = _COLUMNS[_SORTS.get(sort, _OTHERWISE)]
    odds = bias + sum([weight * part for weight, part in zip(parts, agreement, strict=True) if part])
    return odds + sum([weight * agreement[one] * agreement[other] for one, other, weight in products])


def odds_among_rivals(sort: str, odds: float, old_rival: float, new_rival: float) -> float:
    """Return the odds of a pair beside those of the best other candidates."""
    bias, own, old, new = _COLUMNS[_SORTS.get(sort, _OTHERWISE)][3]
    return bias + own * odds + old * _chance(odds - old_rival) + new * _chance(odds - new_rival)


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))
