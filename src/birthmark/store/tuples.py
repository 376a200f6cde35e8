"""Make NamedTuples by the hundred thousand.

Takes the kind and what all fields of each are; gives them one after the other. `Kind(*fields)` calls a function of
Python for each, which takes three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TypeVar

Tuple = TypeVar("Tuple", bound=tuple[object, ...])


def make_tuples(kind: type[Tuple], fields: Iterable[tuple[object, ...]]) -> Iterator[Tuple]:
    return map(partial(tuple.__new__, kind), fields)
