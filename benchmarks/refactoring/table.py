"""The refactorings: what each needs, how it is made, and what it makes of the definitions that it touches.

An edit gets a Site and says whether it was made. A definition that goes on keeps its number; one that is gone leaves
the tree; one that comes has a new number; `derived` notes whose code is where. `prepare` changes the tree that is the
old state: what a refactoring needs and real code does not have, as the same method in three classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from refactoring.dialects import FIELD, FUNCTION, TYPE, Dialect
from refactoring.formatting import reformat
from refactoring.function_edits import (
    function_to_method,
    inline_function,
    method_to_function,
    rename_functions,
    rewrite_and_rename,
    rewrite_body,
    swap_lookalikes,
)
from refactoring.generated import change_generated, prepare_generated
from refactoring.sites import Site
from refactoring.type_edits import (
    extract_interface,
    extract_superclass,
    merge_types,
    prepare_twins,
    pull_up,
    push_down,
    rename_with_members,
    split_type,
)

Edit = Callable[[Site], bool]


class Refactoring(NamedTuple):
    """A row of the table. `lacks` says of languages that are left out what they do not have."""

    name: str
    edit: Edit
    truth: str
    needs: Callable[[Dialect], bool] = lambda dialect: True
    lacks: str = ""
    prepare: Edit = lambda site: True
    n_files: int = 8
    n_times: int = 2  # it is made in one case


def format_and_rename(site: Site) -> bool:
    """All is indented and wrapped in another way, and a fifth of all definitions is renamed."""
    found = site.tree.definitions(TYPE, FUNCTION, FIELD)
    for definition in site.random.sample(found, len(found) // 5):
        site.rename(definition)
    reformat(site.tree)
    site.touch(*found)
    return bool(found)


def squash(site: Site) -> bool:
    """Five refactorings in a row, each on what the ones before it have left, and edits in between."""
    rows = [row for row in REFACTORINGS if row.name in _SQUASHED and row.needs(site.tree.dialect)]
    n_made = 0
    for _ in range(15):
        n_made += site.random.choice(rows).edit(site)
        site.edit_some(1)
        if n_made == 5:
            return True
    return False


_SQUASHED = frozenset(
    {
        "extract superclass", "extract interface", "split type", "merge types", "function to method",
        "method to function", "inline", "rewrite body", "rewrite and rename", "rename type and members",
        "swap look-alikes",
    }
)  # fmt: skip


def _has_types(dialect: Dialect) -> bool:
    return dialect.type_lines is not None


REFACTORINGS: tuple[Refactoring, ...] = (
    Refactoring(
        "extract superclass",
        extract_superclass,
        "type and methods go on, half of them in a new base type",
        lambda dialect: bool(dialect.inherits),
        "no inheritance of code",
    ),
    Refactoring(
        "extract interface",
        extract_interface,
        "type and methods go on; the interface and its declarations are new",
        lambda dialect: dialect.interface_lines is not None,
        "no interfaces of declared methods",
    ),
    Refactoring(
        "pull up",
        pull_up,
        "one method is what three were: any of them, and derived from all",
        lambda dialect: _has_types(dialect) and not dialect.receiver,
        "no methods in types",
        prepare=prepare_twins,
        n_times=1,
    ),
    Refactoring(
        "push down",
        push_down,
        "two methods are what one was: any of them, and both derived from it",
        lambda dialect: _has_types(dialect) and not dialect.receiver,
        "no methods in types",
    ),
    Refactoring("split type", split_type, "half of the methods go on in a new type", _has_types, "no methods"),
    Refactoring("merge types", merge_types, "methods go on in another type; theirs is gone", _has_types, "no methods"),
    Refactoring(
        "function to method",
        function_to_method,
        "goes on in a type",
        lambda dialect: dialect.to_method is not None,
        "no functions outside of types, or no methods",
    ),
    Refactoring(
        "method to function",
        method_to_function,
        "goes on outside of its type",
        lambda dialect: dialect.to_function is not None,
        "no functions outside of types, or no methods",
    ),
    Refactoring("inline", inline_function, "is gone, and derived from it is its one caller, which goes on"),
    Refactoring("rewrite body", rewrite_body, "goes on with 50 to 80 % of its body replaced", n_times=3),
    Refactoring("rewrite and rename", rewrite_and_rename, "goes on so, under another name", n_times=3),
    Refactoring(
        "rename type and members",
        rename_with_members,
        "all go on under other names",
        _has_types,
        "no members but fields; functions are renamed instead",
    ),
    Refactoring("rename functions", rename_functions, "all go on under other names", lambda d: d.name == "c"),
    Refactoring("swap look-alikes", swap_lookalikes, "go on under their names, each where the other was"),
    Refactoring(
        "generated functions",
        change_generated,
        "those renamed and their neighbours go on, others are gone or new",
        prepare=prepare_generated,
        n_files=2,
        n_times=1,
    ),
    Refactoring("format and rename", format_and_rename, "everything goes on", n_files=20, n_times=1),
    Refactoring("five commits squashed", squash, "as each of the five has it", n_files=10, n_times=1),
)
