"""What a scan says about a change: which commits made it, which lines differ, and what was compared with what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from birthmark.documents.scans import report_document
from birthmark.documents.sentences import comparison_note, place_sentence, sentence, span, title
from birthmark.subscriptions.model import Explanation, Finding, ScanReport, Trigger
from birthmark.surfaces.formats.markdown import summary
from birthmark.vocabulary import ComparedWith
from running import birthmark
from scanning import accept, make, scan, subscribe
from worlds import World

SHOP = """\
class Basket:
    def price(self, items):
        return sum(item.price for item in items)

    def count(self, items):
        return len(items)


def total(basket, items):
    return basket.price(items)
"""
Edit = Callable[[World], None]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, {"shop.py": SHOP, "notes.txt": "one\ntwo\nthree\nfour\n"})


def commit(world: World, subject: str = "Fix rounding") -> str:
    world.git("add", "-A")
    world.git("commit", "-q", "-m", subject)
    return world.git("rev-parse", "HEAD")


def rounded(world: World) -> None:
    world.replace("shop.py", "sum(item.price for item in items)", "round(sum(item.price for item in items), 2)")


def taxed(world: World) -> None:
    world.replace("shop.py", "def price(self, items)", "def price(self, items, tax=0)")


def finding(report: ScanReport) -> Finding:
    [found] = [found for found in report.findings if found.trigger is not None and found.muted is None]
    return found


def trigger(report: ScanReport) -> Trigger:
    found = finding(report).trigger
    assert found is not None
    return found


def explained(report: ScanReport) -> Explanation:
    found = trigger(report).explanation
    assert found is not None
    return found


# Sentences


def without_price(world: World) -> None:
    world.replace("shop.py", SHOP.partition("\n\n")[0].partition("\n")[2] + "\n\n", "")


def moved(world: World) -> None:
    world.write("basket.py", SHOP.partition("\n\n\n")[0] + "\n")
    world.write("shop.py", SHOP.partition("\n\n\n")[2])
    world.replace("basket.py", "sum(item.price for item in items)", "sum(item.cost for item in items)")


def rounded_and_taxed(world: World) -> None:
    rounded(world)
    taxed(world)


def renamed(world: World) -> None:
    world.replace("shop.py", "price(", "cost(")
    world.replace("shop.py", "return sum(", "return 1 + sum(")


SENTENCES: dict[str, tuple[Edit, str]] = {
    "body": (rounded, "body changed by {commit} (Fix rounding)"),
    "interface": (taxed, "interface changed by {commit} (Fix rounding)"),
    "both": (rounded_and_taxed, "interface and body changed by {commit} (Fix rounding)"),
    "deleted": (without_price, "deleted in {commit} (Fix rounding)"),
    "file": (lambda world: world.remove("shop.py"), "deleted with its file in {commit} (Fix rounding)"),
    "renamed": (renamed, "renamed to Basket.cost, body changed by {commit} (Fix rounding)"),
    "moved": (moved, "moved to basket.py, body changed by {commit} (Fix rounding)"),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_a_change_is_a_sentence_with_its_commit(world: World, case: str) -> None:
    edit, expected = SENTENCES[case]
    subscribe(world, "shop.py::Basket.price")
    edit(world)
    changed = commit(world)
    found = finding(scan(world))
    said = sentence(found).replace(" (medium confidence)", "").replace(" (low confidence)", "")
    assert said == expected.format(commit=changed[:12])
    assert title(found).startswith("Basket.price: ")


@pytest.mark.parametrize("case", ["body", "interface", "deleted", "file"])
def test_what_is_not_committed_says_so(world: World, case: str) -> None:
    edit, expected = SENTENCES[case]
    subscribe(world, "shop.py::Basket.price")
    edit(world)
    said = expected.partition(" by {")[0].partition(" in {")[0]
    assert sentence(finding(scan(world))) == f"{said} in the worktree, not committed"


def test_several_commits_and_the_worktree(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    rounded(world)
    first = commit(world)
    world.replace("shop.py", "len(items)", "len(list(items))")
    commit(world, "Count generators")
    world.replace("shop.py", ", 2)", ", 3)")
    last = commit(world, "More digits")
    found = explained(scan(world))
    assert [one.id for one in found.commits] == [last, first]
    assert (found.commits[0].subject, found.commits[0].author) == ("More digits", "A")
    assert report_document(scan(world)).triggers[0].commits[0].date == "2024-01-01T00:00:00+00:00"
    world.replace("shop.py", ", 3)", ", 4)")
    said = sentence(finding(scan(world)))
    assert said == f"body changed by 2 commits, the last {last[:12]} (More digits), then in the worktree"


def test_documentation_only(world: World) -> None:
    subscribe(world, "shop.py::Basket.price", cosmetic=True)
    world.replace("shop.py", "items):\n        return sum", 'items):\n        """In euros."""\n        return sum')
    changed = commit(world)
    said = sentence(finding(scan(world)))
    assert said == f"only documentation changed by {changed[:12]} (Fix rounding)"


def test_a_mere_move_is_no_change(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    rounded(world)
    changed = commit(world)
    world.move("shop.py", "store.py")
    commit(world, "Rename")
    report = scan(world)
    assert [one.id for one in explained(report).commits] == [changed]
    assert sentence(finding(report)).startswith("moved with its file to store.py, body changed by ")


def test_a_class_changes_with_its_members(world: World) -> None:
    """Its history is that of its declaration, and what changed is inside."""
    subscribe(world, "shop.py::Basket")
    rounded(world)
    changed = commit(world)
    assert sentence(finding(scan(world))) == f"body changed by {changed[:12]} (Fix rounding)"


def test_lines(world: World) -> None:
    subscribe(world, "notes.txt:2-3")
    world.write("notes.txt", "zero\none\ntwo\n3\nfour\n")
    changed = commit(world, "Digits")
    world.write("notes.txt", "first\nzero\none\ntwo\n3\nfour\n")
    commit(world, "Above")
    found = finding(scan(world))
    assert sentence(found) == f"lines changed by {changed[:12]} (Digits)"
    assert title(found).startswith("notes.txt:2-3: ")


def test_a_commit_of_what_was_accepted_is_no_change(world: World) -> None:
    """It was accepted before it was committed."""
    rounded(world)
    subscribe(world, "shop.py::Basket.price")
    commit(world, "As accepted")
    assert scan(world).triggers == []
    world.replace("shop.py", ", 2)", ", 3)")
    changed = commit(world, "More digits")
    assert [one.id for one in explained(scan(world)).commits] == [changed]


def test_what_was_accepted_is_no_longer_a_cause(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    rounded(world)
    commit(world)
    scan(world)
    accept(world)
    world.replace("shop.py", ", 2)", ", 3)")
    changed = commit(world, "More digits")
    assert [one.id for one in explained(scan(world)).commits] == [changed]


def test_changed_lines(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    rounded(world)
    [hunk] = explained(scan(world)).hunks
    assert [line.sign + line.text.strip() for line in hunk.lines] == [
        " def price(self, items):",
        "-return sum(item.price for item in items)",
        "+return round(sum(item.price for item in items), 2)",
    ]


def test_long_patches_are_cut(world: World) -> None:
    subscribe(world, "shop.py::total")
    world.replace("shop.py", "    return basket", "    x = 1\n" * 100 + "    return basket")
    found = explained(scan(world))
    assert sum(len(hunk.lines) for hunk in found.hunks) + found.n_omitted == 100 + 2
    assert found.n_omitted == 62


def test_signatures(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    taxed(world)
    found = explained(scan(world))
    assert (found.old_signature, found.new_signature) == ("def price(self, items)", "def price(self, items, tax=0)")


def test_a_shallow_clone_names_no_commit(world: World, tmp_path: Path) -> None:
    """At its border every file looks as if it were just written."""
    subscribe(world, "shop.py::Basket.price", team=True)
    world.git("add", "birthmark.toml")
    base = commit(world, "Subscribe")
    rounded(world)
    commit(world)
    clone = World(tmp_path / "shallow")
    world.git("clone", "-q", "--depth", "1", f"file://{world.root}", str(clone.root))
    clone.git("fetch", "-q", "--depth", "1", "origin", base)
    found = scan(clone, base=base, target="HEAD")
    assert sentence(finding(found)) == "body changed"
    assert explained(found).hunks


def test_without_git(tmp_path: Path) -> None:
    world = make(tmp_path, {"shop.py": SHOP}, with_git=False)
    world.index()
    subscribe(world, "shop.py::Basket.price")
    rounded(world)
    assert sentence(finding(scan(world))) == "body changed"


# Aggregates


def places(report: ScanReport) -> list[tuple[str, str, str, int, int]]:
    return [(one.change, one.name, one.path, one.start_line, one.end_line) for one in trigger(report).places]


def test_a_pattern_has_its_real_places(world: World) -> None:
    subscribe(world, "**::Basket.*")
    rounded(world)
    first = commit(world)
    world.write("more.py", "class Basket:\n    def weigh(self):\n        return 1\n")
    world.replace("shop.py", "    def count(self, items):\n        return len(items)\n", "")
    second = commit(world, "Weigh")
    report = scan(world)
    assert places(report) == [
        ("added", "Basket.weigh", "more.py", 2, 3),
        ("changed", "Basket.price", "shop.py", 2, 3),
        ("removed", "Basket.count", "shop.py", 5, 6),
    ]
    causes = [[one.id for one in place.explanation.commits] for place in trigger(report).places if place.explanation]
    assert causes == [[second], [first], [second]]
    assert [one.id for one in explained(report).commits] in ([first, second], [second, first])
    assert (trigger(report).name, trigger(report).path) == (None, "")


def test_members_have_places(world: World) -> None:
    subscribe(world, "shop.py::Basket", include_members=True)
    rounded(world)
    changed = commit(world)
    report = scan(world)
    assert places(report) == [("changed", "Basket.price", "shop.py", 2, 3)]
    assert trigger(report).name == "Basket"
    assert sentence(finding(report)) == f"member price changed by {changed[:12]} (Fix rounding)"


def test_inherited_members_have_places(world: World) -> None:
    world.write("gift.py", "from shop import Basket\n\n\nclass Gift(Basket):\n    pass\n")
    world.commit()
    subscribe(world, "gift.py::Gift", include_members=True)
    rounded(world)
    assert places(scan(world)) == [("inherited", "Basket.price", "shop.py", 2, 3)]


def test_users_have_places(world: World) -> None:
    subscribe(world, "shop.py::total", users=True)
    world.write(
        "till.py", "from shop import total\n\n\ndef pay(basket):\n    return total(basket, [])\n\n\ntotal(1, 2)\n"
    )
    changed = commit(world, "A till")
    report = scan(world)
    assert places(report) == [("added", "", "till.py", 1, 1), ("added", "pay", "till.py", 4, 5)]
    assert title(finding(report)).startswith("users of total: 2 users added")
    assert changed[:12] in sentence(finding(report))


def test_a_match_that_moved_is_not_called_renamed(world: World) -> None:
    world.write("tax.py", "def tax(x):\n    return round(x * 0.19, 2) + x\n")
    commit(world, "Taxes")
    subscribe(world, "**::tax")
    world.move("tax.py", "lib/tax.py")
    commit(world, "A library")
    report = scan(world)
    assert sentence(finding(report)).startswith("match tax moved")
    assert place_sentence(trigger(report).places[0]).startswith("tax: moved from tax.py")


def test_what_is_unknown_of_many_is_not_claimed(world: World) -> None:
    """Of many places the first are explained, and their commits are not said to be all."""
    subscribe(world, "**::f*")
    world.write("many.py", "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(9)))
    changed = commit(world, "Many")
    report = scan(world)
    assert [place.explanation is not None for place in trigger(report).places] == [True] * 5 + [False] * 4
    assert sentence(finding(report)) == f"9 matches added, among others by {changed[:12]} (Many)"


# What was compared with what


def test_a_named_base_that_has_it_as_accepted(world: World) -> None:
    subscribe(world, "shop.py::Basket.price")
    world.replace("shop.py", "len(items)", "len(list(items))")
    base = commit(world, "Elsewhere")
    rounded(world)
    commit(world)
    report = scan(world, base=base, target="HEAD")
    assert trigger(report).compared_with is ComparedWith.BASE
    assert comparison_note(report, finding(report)) == ""
    assert span(report) == f"{world.git('rev-parse', 'HEAD')[:12]} compared with {base[:12]}"


def test_what_is_as_accepted_is_unchanged_whatever_the_base(world: World) -> None:
    base = world.git("rev-parse", "HEAD")
    rounded(world)
    commit(world)
    subscribe(world, "shop.py::Basket.price")
    assert summary(scan(world, base=base, target="HEAD")) == "1 unchanged"
    assert summary(scan(world)) == "1 unchanged"


def test_patterns_compare_with_the_base(world: World) -> None:
    subscribe(world, "**::Basket.*")
    rounded(world)
    base = commit(world)
    world.replace("shop.py", "len(items)", "len(list(items))")
    commit(world, "Count generators")
    report = scan(world, base=base, target="HEAD")
    assert trigger(report).compared_with is ComparedWith.BASE
    assert [place[1] for place in places(report)] == ["Basket.count"]


# A user's story


def test_a_team_lead_has_scan_in_ci(world: World) -> None:
    """A pull request is described so that a reviewer need not know what a trigger is."""
    birthmark("subscribe", "shop.py::Basket.price", "--team", "--label", "what customers pay", cwd=world.root)
    base = commit(world, "Subscribe")
    rounded(world)
    changed = commit(world)[:12]
    span_ = ("--base", base, "--target", "HEAD")
    comment = birthmark("scan", *span_, "--format", "github-comment", cwd=world.root).stdout
    assert (
        f"- `Basket.price` *what customers pay* in `shop.py:2-3`: body changed by {changed} (Fix rounding)" in comment
    )
    assert "  +        return round(sum(item.price for item in items), 2)\n" in comment
    annotation = birthmark("scan", *span_, "--format", "github", cwd=world.root).stdout
    assert annotation.startswith(
        f"::warning file=shop.py,line=2,endLine=3,title=Basket.price%3A body changed by {changed} (Fix rounding)::"
    )
    assert "CONTENT" not in comment + annotation
    assert birthmark("scan", *span_, "--exit-code", cwd=world.root).returncode == 1


@pytest.mark.parametrize("columns", [40, 80])
def test_only_code_is_wider_than_the_terminal(world: World, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for ref in ("shop.py::Basket.price", "shop.py::Basket", "notes.txt:1-2", "**::Basket.*"):
        subscribe(world, ref, label="what customers pay, and what the accountants rely on in all their reports")
    rounded(world)
    world.write("notes.txt", "a very long line that is much wider than most of the terminals that people have, " * 3)
    commit(world, "Fix rounding, and say in a very long subject why that had to be done at once and not later")
    lines = birthmark("scan", cwd=world.root).stdout.splitlines()
    wide = [line.strip() for line in lines if len(line) > columns]
    assert [line[0] for line in wide if line[0] not in "+-"] == []
    assert {line[1:18] for line in wide} >= {"a very long line "}


def test_nothing_of_a_repository_is_obeyed_by_a_terminal(world: World) -> None:
    subscribe(world, "shop.py::Basket.price", label="\x1b[2J")
    world.replace("shop.py", "return sum", "x = '\x1b]0;title\x07'\n        return sum")
    commit(world, "\x1b[31mred\x07")
    assert "\x1b" not in birthmark("scan", cwd=world.root).stdout
    assert "\x1b" not in birthmark("scan", "--format", "markdown", cwd=world.root).stdout
