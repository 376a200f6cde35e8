"""Brewing tea, one pot at a time."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field

from .kettle import Kettle, boil as heat

logger = logging.getLogger(__name__)

MAX_MINUTES = 12
_cache: dict[str, Pot] = {}


class BrewError(Exception):
    """Something went wrong in the kitchen."""


@dataclass
class Pot:
    """A pot and what is in it."""

    name: str
    leaves: list[str] = field(default_factory=list)
    size = 3

    def __post_init__(self) -> None:
        self.level = 0
        _cache[self.name] = self

    @property
    def is_empty(self) -> bool:
        return self.level == 0

    @classmethod
    def named(cls, name: str) -> Pot:
        pot = _cache.get(name)
        return pot or cls(name)

    def fill(self, *leaves: str, minutes: int = 3, **extras: object) -> Iterator[str]:
        """Fill the pot.

        Yields each leaf as it sinks.
        """
        if minutes > MAX_MINUTES:
            raise BrewError(f"{minutes} minutes is too long")
        for i, leaf in enumerate(leaves):
            self.leaves.append(leaf)
            if i % 2:
                continue
            yield leaf.strip()
        else:
            logger.info("filled %s", self.name)

        def settle() -> None:
            nonlocal minutes
            minutes -= 1

        while minutes:
            settle()


async def serve(pots: list[Pot], *, guests=()):
    async with heat(Kettle()) as kettle:
        try:
            cups = [cup async for cup in kettle.pour(pots)]
        except (OSError, BrewError) as error:
            logger.exception("no tea: %s", error)
            raise
        finally:
            kettle.close()
    ranked = sorted(cups, key=lambda cup: cup.size)
    return dict(zip(guests, ranked, strict=False))


# Strength, from weak to strong.
strength = lambda minutes: min(minutes, MAX_MINUTES)

if __name__ == "__main__":
    import asyncio

    asyncio.run(serve([Pot("green")], guests=["Ann"]))
