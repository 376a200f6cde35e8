"""Graphs of commits with the story that a history must tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialects import Program

PRICE, PRICE_1, PRICE_2, PRICE_3 = (
    "sum tax log give",
    "sum tax log mail give",
    "stock sum tax log give",
    "sum log tax give",
)
SHIP, SHIP_1 = "stock mail give", "stock log mail give"


def shop(**functions: str) -> Program:
    return {"a": {"": functions}}


# Commits, the parents of those that do not follow the one before, what is asked for, and its story, newest first.
GRAPHS: dict[str, tuple[Sequence[Program], Mapping[int, Sequence[int]], str, str]] = {
    "a merge that equals one parent changed nothing": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(price=PRICE_1, ship=SHIP),
            shop(price=PRICE, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
        ],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "1 body change; 0 introduced",
    ),
    "a merge that took the other side changed nothing": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_2)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "2 body change; 0 introduced",
    ),
    "a merge that differs from both parents": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_3)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "3 body change; 2 body change; 1 body change; 0 introduced",
    ),
    "each parent of an octopus is asked": (
        [
            shop(price=PRICE, ship=SHIP, send="mail log give"),
            shop(price=PRICE_1, ship=SHIP, send="mail log give"),
            shop(price=PRICE, ship=SHIP_1, send="mail log give"),
            shop(price=PRICE, ship=SHIP, send="mail log tax give"),
            shop(price=PRICE_1, ship=SHIP_1, send="mail log tax give"),
        ],
        {2: [0], 3: [0], 4: [1, 2, 3]},
        "a.py::send",
        "3 body change; 0 introduced",
    ),
    "introduced on a branch": (
        [shop(price=PRICE), shop(price=PRICE, ship=SHIP), shop(price=PRICE_1), shop(price=PRICE_1, ship=SHIP)],
        {2: [0], 3: [1, 2]},
        "a.py::ship",
        "1 introduced",
    ),
    "introduced by a merge": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE_2), shop(price=PRICE_1, ship=SHIP)],
        {2: [0], 3: [1, 2]},
        "a.py::ship",
        "3 introduced",
    ),
    "a file renamed on one branch and edited on another": (
        [
            {"a": {"": {"price": PRICE, "ship": SHIP}}},
            {"b": {"": {"price": PRICE, "ship": SHIP}}},
            {"a": {"": {"price": PRICE_1, "ship": SHIP}}},
            {"b": {"": {"price": PRICE_1, "ship": SHIP}}},
        ],
        {2: [0], 3: [1, 2]},
        "b.py::price",
        "2 body change; 1 container change; 0 introduced",
    ),
    "criss-cross merges": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(price=PRICE_1, ship=SHIP),
            shop(price=PRICE, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
            shop(price=PRICE_1, ship=SHIP_1),
            shop(price=PRICE_2, ship=SHIP_1),
            shop(price=PRICE_2, ship=SHIP_1),
        ],
        {2: [0], 3: [1, 2], 4: [2, 1], 5: [3], 6: [5, 4]},
        "a.py::price",
        "5 body change; 1 body change; 0 introduced",
    ),
    "criss-cross renames of functions": (
        [
            shop(price=PRICE, ship=SHIP),
            shop(cost=PRICE, ship=SHIP),
            shop(price=PRICE, send=SHIP),
            shop(cost=PRICE, send=SHIP),
        ],
        {2: [0], 3: [1, 2]},
        "a.py::send",
        "2 rename; 0 introduced",
    ),
    "criss-cross renames of files": (
        [
            {"a": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}},
            {"t": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}},
            {"t": {"": {"price": PRICE}}, "a": {"": {"ship": SHIP}}},
            {"b": {"": {"price": PRICE}}, "a": {"": {"ship": SHIP}}},
        ],
        {},
        "b.py::price",
        "3 container change; 1 container change; 0 introduced",
    ),
    "a revert": (
        [shop(price=PRICE), shop(price=PRICE_1), shop(price=PRICE)],
        {},
        "a.py::price",
        "2 body change; 1 body change; 0 introduced",
    ),
    "a rename and its revert": (
        [shop(price=PRICE), shop(cost=PRICE), shop(price=PRICE)],
        {},
        "a.py::price",
        "2 rename; 1 rename; 0 introduced",
    ),
    "a file deleted and added again": (
        [shop(price=PRICE), {}, shop(price=PRICE)],
        {},
        "a.py::price",
        "2 came back; 1 deleted; 0 introduced",
    ),
    "deleted on one branch, kept by the merge": (
        [shop(price=PRICE, ship=SHIP), shop(ship=SHIP), shop(price=PRICE, ship=SHIP_1), shop(price=PRICE, ship=SHIP_1)],
        {2: [0], 3: [1, 2]},
        "a.py::price",
        "0 introduced",
    ),
    "two roots": (
        [shop(price=PRICE), {"b": {"": {"ship": SHIP}}}, {"a": {"": {"price": PRICE}}, "b": {"": {"ship": SHIP}}}],
        {1: [], 2: [0, 1]},
        "b.py::ship",
        "1 introduced",
    ),
}
