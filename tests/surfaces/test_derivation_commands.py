"""Where code came from and where it went, as `diff`, `resolve` and `show` say it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from derived import FIND_PRICE, KINDS, ORDER, ORDER_CALLS

from birthmark.vocabulary import DerivationKind
from running import birthmark, document
from small_repositories import make_repository, replay

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

# What is said of the derivative and of the source, by `resolve` and `show`; and a line of `diff`.
SAID = {
    DerivationKind.EXTRACTED: (
        "extracted from order (… % of its code)",
        "part of it was extracted into find_price (… % of its code)",
        "extracted from order (… % of its code)",
    ),
    DerivationKind.COPIED: (
        "copied from a.py::find_price (… % of its code)",
        "copied into b.py::offer (… % of its code)",
        "copied from a.py::find_price (… % of its code)",
    ),
    DerivationKind.SPLIT: (
        "split from a.py::price (… % of its code)",
        "its code is in b.py::shipping (… %)",
        "split from a.py::order (… % of its code)",
    ),
    DerivationKind.MERGED: (
        "merged with a.py::log_price (… % of its code)",
        "its code is now in b.py::log_shipping (… %)",
        "merged into b.py::log_shipping (… % of its code)",
    ),
    DerivationKind.INLINED: (
        "inlined find_price (… % of its code)",
        "its code is now in order (… %)",
        "inlined into order (… % of its code)",
    ),
    DerivationKind.MOVED: (
        "moved from Cat.name (… %) and Dog.name (… %)",
        "its code is now in Animal.name (… %)",
        "moved into Animal.name (… % of its code)",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_said(kind: DerivationKind, tmp_path: Path) -> None:
    case = KINDS[kind]
    root = make_repository(tmp_path / "root", [case.before, case.after]).root
    replay(root)
    of_derivative, of_source, in_diff = SAID[kind]
    for command in ("resolve", "show"):
        assert said(root, command, case.derivative, of_derivative)
        assert said(root, command, case.source, of_source)
    assert said(root, "diff", "HEAD~1", in_diff)
    assert joined(root, "resolve", case.derivative, "derived_from", case) == kind
    assert joined(root, "show", case.source, "derivatives", case) == kind


@pytest.mark.parametrize("kind", KINDS)
def test_history_and_diff_say_what_the_ledger_has(kind: DerivationKind, tmp_path: Path) -> None:
    """Of what a commit introduced: a history says nothing of what came into it later."""
    case = KINDS[kind]
    root = make_repository(tmp_path / "root", [case.before, case.after]).root
    replay(root)
    recorded = measures(document("resolve", case.derivative, cwd=root)["derived_from"])
    (event, *_) = document("history", case.derivative, cwd=root)["events"]
    changes = document("diff", "HEAD~1", "HEAD", cwd=root)["changes"]
    (change,) = (one for one in changes if (one["after"] or {}).get("qualified_name") == case.derivative)
    assert measures(change["derived_from"]) == recorded
    assert measures(event["derived_from"]) == (recorded if event["changes"] == ["introduced"] else [])


def measures(documents: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What is the same whichever command is asked."""
    fields = ("kind", "share", "source_share", "evidence", "confidence")
    return sorted(tuple(one[field] for field in fields) for one in documents)


def said(root: Path, *words: str) -> bool:
    """Whether a command has a line, but for shares and commits."""
    *command, wanted = words
    lines = re.sub(r"\d+ %", "… %", birthmark(*command, cwd=root).stdout).splitlines()
    return any(re.sub(r" in [0-9a-f]{12}$", "", line).strip() == wanted for line in lines)


def joined(root: Path, command: str, ref: str, field: str, case: Any) -> str:
    """The kind of the derivation between the two ends of a case."""
    other = case.source if field == "derived_from" else case.derivative
    mark = document("resolve", other, cwd=root)["deletion"]
    found = document(command, ref, cwd=root)[field]
    assert all(one["status"] == ("present" if mark is None else "gone") for one in found)
    (kind,) = {one["kind"] for one in found}
    return str(kind)


def test_what_is_deleted_is_followed_to_what_has_its_code_now(tmp_path: Path) -> None:
    """It was inlined into something that was then inlined itself."""
    buy = "def buy(cart, customer):\n    log.info('buying', cart.number)\n    return {}\n"
    call, whole = buy.format("order(cart, customer)"), buy.format("net - rebate + parcel")
    body = ORDER.partition("\n")[2].rpartition("    return")[0]
    last = whole.replace("    log", f"{body}    log")
    states = [
        {"a.py": f"{FIND_PRICE}\n\n{ORDER_CALLS}\n\n{call}"},
        {"a.py": f"{ORDER}\n\n{call}"},
        {"a.py": last},
    ]
    root = make_repository(tmp_path / "root", states).root
    replay(root)
    (carrier,) = document("resolve", "find_price", cwd=root)["carried_by"]
    assert carrier["place"]["qualified_name"] == "buy"
    assert [step["place"]["qualified_name"] for step in carrier["steps"]] == ["order", "buy"]
    assert 0 < carrier["source_share"] <= carrier["steps"][0]["source_share"]
    assert document("resolve", "buy", cwd=root)["carried_by"] == []
    lines = birthmark("resolve", "find_price", cwd=root).stdout.splitlines()
    assert "  its code is now in" in lines
    assert lines[-1].endswith("buy (inlined, then inlined)")


def test_what_left_before_the_code_came_does_not_have_it(tmp_path: Path) -> None:
    """`order` was copied, and only then was `find_price` inlined into it."""
    copy = ORDER_CALLS.replace("def order", "def offer")
    states = [
        {"a.py": f"{FIND_PRICE}\n\n{ORDER_CALLS}"},
        {"a.py": f"{FIND_PRICE}\n\n{ORDER_CALLS}\n\n{copy}"},
        {"a.py": f"{ORDER}\n\n{copy}"},
    ]
    root = make_repository(tmp_path / "root", states).root
    replay(root)
    (source,) = document("resolve", "offer", cwd=root)["derived_from"]
    assert source["place"]["qualified_name"] == "order"
    (carrier,) = document("resolve", "find_price", cwd=root)["carried_by"]
    assert carrier["place"]["qualified_name"] == "order"


def test_a_filter_of_diff_leaves_out_changes_but_not_what_they_come_from(tmp_path: Path) -> None:
    case = KINDS[DerivationKind.EXTRACTED]
    root = make_repository(tmp_path / "root", [case.before, case.after]).root
    (change,) = document("diff", "HEAD~1", "--change", "added", cwd=root)["changes"]
    assert [one["place"]["qualified_name"] for one in change["derived_from"]] == ["order"]
    assert (change["derived_from"][0]["mark"], change["derived_from"][0]["commit"]) == (None, None)
