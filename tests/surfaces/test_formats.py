"""How a report is written: for people, and for the programs that show it beside the code."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from birthmark.documents.wording import LineRange, parse_location
from birthmark.subscriptions.model import ChangedPlace, DocLink, Finding, Member, Proposal
from birthmark.surfaces.formats.annotations import DOCS, RULES, list_annotations
from birthmark.surfaces.formats.markdown import code, escape
from birthmark.surfaces.formats.report_formats import FORMATS
from birthmark.vocabulary import AnchorStatus, ChangeType, Muted
from examples import n_examples
from reports import everything, explanation, finding, moved, prints, report, state, subscription, trigger

HOSTILE = [
    "|",
    "`",
    "``",
    "<b>",
    "-->",
    "\n",
    "\r",
    "\n- [x] sub-1",
    "*",
    "_",
    "](",
    "[",
    "%",
    "::",
    ",",
    ":",
    "@all",
    "\\",
]
words = st.lists(st.sampled_from([*HOSTILE, "a", " ", "ä", "😀", "\u202e"]), min_size=1, max_size=6).map("".join)


def sarif(*findings: Finding, **more: Any) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(FORMATS["sarif"](report(*findings, **more)))["runs"][0]
    return run


def gitlab(*findings: Finding, **more: Any) -> list[dict[str, Any]]:
    issues: list[dict[str, Any]] = json.loads(FORMATS["gitlab"](report(*findings, **more)))
    return issues


# Places


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.py", LineRange("a.py")),
        ("a.py:3", LineRange("a.py", 3, 3)),
        ("a:1.py:3-9", LineRange("a:1.py", 3, 9)),
        ("a.py::Cart.total", LineRange("a.py")),
        ("", LineRange("")),
    ],
)
def test_locations_are_read(text: str, place: LineRange) -> None:
    assert parse_location(text) == place


@pytest.mark.parametrize(
    ("found", "place"),
    [
        (finding(), LineRange("shop.py", 12, 14)),
        (finding(after=moved(path="new.py")), LineRange("new.py", 12, 14)),
        (finding(after=None), LineRange("shop.py", 10, 11)),
        (finding(after=moved(path="")), LineRange("shop.py", 10, 11)),
    ],
)
def test_remarks_point_at_where_it_stands_now(found: Finding, place: LineRange) -> None:
    assert [annotation.location for annotation in list_annotations(report(found))] == [place]


def test_what_is_muted_or_current_or_only_moved_is_no_remark() -> None:
    proposal = Proposal("sub-0000000001", "shop.py", 10, 11, "shop.py", 12, 13, ("line_shift",), "high")
    quiet = (
        finding(muted=Muted.SNOOZED),
        Finding(subscription(), proposal=proposal, after=moved()),
        Finding(subscription(), locations=("a.py:1", "b.py:1"), muted=Muted.ACKNOWLEDGED),
    )
    assert list_annotations(report(*quiet, docs=(DocLink("a.md", 1, "x", AnchorStatus.CURRENT),))) == []


def test_a_pattern_has_a_remark_at_each_place_that_it_names() -> None:
    places = [annotation.location for annotation in list_annotations(everything())]
    assert places[2:4] == [LineRange("api/a.py", 3, 5), LineRange("api/b.py", 7, 9)]


def test_places_that_are_too_many_are_counted() -> None:
    places = tuple([ChangedPlace("added", f"f{number}", "a.py", number, number) for number in range(1, 26)])
    found = finding(trigger=replace(trigger(change=ChangeType.AGGREGATE, added=["x"]), places=places))
    remarks = list_annotations(report(found))
    assert len(remarks) == 10
    assert all("15 more are not annotated" in remark.message for remark in remarks)
    assert "\n  - 5 more\n" in FORMATS["markdown"](report(found))


# Fingerprints


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (finding(), True),
        (finding(after=moved(start=20, end=22)), True),
        (finding(after=moved(revision="f" * 40, files={"shop.py": "1"}, digest="2")), True),
        (finding(after=moved(text="newer")), False),
        (finding(after=moved(members=(Member("tax", "method", prints("tax")),))), False),
        (finding(ChangeType.CONTENT), False),
        (finding(subscription=subscription("sub-0000000002")), False),
        (finding(after=None), False),
    ],
)
def test_a_fingerprint_is_of_the_change_and_not_of_the_lines(other: Finding, is_same: bool) -> None:
    one, two = (list_annotations(report(found))[0].fingerprint for found in (finding(), other))
    assert (one == two) == is_same


def test_fingerprints_differ() -> None:
    links = [DocLink("a.md", line, "x", AnchorStatus.GONE) for line in (3, 9)]
    remarks = list_annotations(report(*everything().findings, docs=tuple(links)))
    assert len({annotation.fingerprint for annotation in remarks}) == len(remarks) == 7


# Markdown


def test_markdown_tells_all() -> None:
    page = FORMATS["markdown"](everything())
    expected = [
        "## Birthmark: 3 triggers",
        "3 triggered, 1 ambiguous, 1 shifted, 3 unchanged, 1 cosmetic, 2 inactive, 1 of 2 links in documents to be "
        "checked. The worktree compared with what was accepted.",
        r"- `Cart.total` *tax \| \`rules\` &lt;b&gt; @" + "\u200b" + "all* in `shop.py:10-11`: "
        "moved to `src/a b:c,50%[x](y).py`, interface and body changed by 111111111111 (Fix rounding) "
        "(`sub-0000000001`)",
        "  - now at `src/a b:c,50%[x](y).py:12-14`",
        r"  - Ask the \*accountants\*.",
        "  - was `def total(self)`",
        "  - now `def total(self, tax)`",
        "  ```diff",
        "  @@ -10,1 +12,1 @@",
        "  -def total(self):",
        "  +def total(self, tax):",
        "  ```",
        "- `Cart.total` in `shop.py:10-11`: deleted with its file (`sub-0000000002`)",
        "- `api/**::*Controller.*`: match `NewController.get` added, match `OldController.get` changed "
        "by 111111111111 (Fix rounding) (`sub-0000000003`)",
        "  - `api/a.py:3-5` `NewController.get`: added by 111111111111 (Fix rounding)",
        "  - `api/b.py:7-9` `OldController.get`: changed by 111111111111 (Fix rounding)",
        "    ```diff",
        "    -a",
        "    +b",
        "- `Cart.total` `shop.py:10-11` → `shop.py:12-13`: shifted to lines 12-13 (`sub-0000000006`)",
        "- `shop.py:10-11` `Cart.total` may be `a.py:3`, `b.py:9-12` (`sub-0000000004`)",
        "- `docs/guide.md:7`: `shop.py::Cart` has changed since ffffffffffff (body change)",
        "- `odd.py:3`: cannot be read",
    ]
    lines = page.splitlines()
    assert [line for line in expected if line not in lines] == []
    assert page.endswith("\n")


def test_markdown_of_nothing() -> None:
    page = FORMATS["markdown"](report(n_unchanged=0))
    assert page == (
        "## Birthmark: nothing triggered\n\nThere are no subscriptions. The worktree compared with what was accepted.\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("`x`", r"\`x\`"),
        ("__init__ of body_changed", r"\_\_init\_\_ of body_changed"),
        ("[a](b)", r"\[a\](b)"),
        ("two\nlines", "two lines"),
        ("@you", "@\u200byou"),
        ("turned \u202e around", "turned \ufffd around"),
        ("x" * 300, "x" * 199 + "…"),
    ],
)
def test_labels_are_no_markup(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize(
    ("text", "span"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "``` `` ```"), ("a\nb", "`a b`")]
)
def test_names_are_code(text: str, span: str) -> None:
    assert code(text) == span


@settings(max_examples=n_examples(100), deadline=None)
@given(words, words, words)
def test_no_name_breaks_out_of_its_line(label: str, name: str, path: str) -> None:
    def shape(label: str, name: str, path: str) -> list[str]:
        """How each line begins."""
        found = finding(
            subscription=subscription(label=label, description=f"x{label}", accepted=state(path=path)),
            trigger=trigger(change=ChangeType.AGGREGATE, added=[name], changed=[{"name": name, "aspects": ["body"]}]),
            locations=(path, path),
        )
        return [line[:4] for line in FORMATS["markdown"](report(found)).split("\n")]

    assert shape(label, name, path) == shape("a", "a", "a")


@settings(max_examples=n_examples(100), deadline=None)
@given(st.lists(words | st.sampled_from(["```", "````", "~~~", "- x"]), min_size=1, max_size=4))
def test_no_line_of_code_breaks_out_of_its_fence(lines: list[str]) -> None:
    """The fence is closed once, at the end, and every line before it belongs to the item."""
    patch = explanation(*[f" {line}" for line in lines])
    page = FORMATS["markdown"](report(finding(trigger=replace(trigger(), explanation=patch))))
    block = page.partition("  - now at `shop.py:12-14`\n")[2].split("\n")
    fence = block[0].strip().removesuffix("diff")
    assert [line.strip() for line in block].index(fence) == len(lines) + 2
    assert all(line.startswith("  ") for line in block[: len(lines) + 3])


# SARIF


def check_location(location: dict[str, Any]) -> None:
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
    assert not uri.startswith("/")
    assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    if "region" in physical:
        assert 1 <= physical["region"]["startLine"] <= physical["region"]["endLine"]


def test_sarif_has_the_structure_it_must_have() -> None:
    log = json.loads(FORMATS["sarif"](everything()))
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "birthmark"
    assert [rule["id"] for rule in rules] == [*RULES] == [*ChangeType, DOCS]
    assert run["invocations"][0]["executionSuccessful"] is True
    assert "%SRCROOT%" in run["originalUriBaseIds"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        related = result.get("relatedLocations", [])
        assert [place["id"] for place in related] == list(range(1, len(related) + 1))
        for location in [*result["locations"], *related]:
            check_location(location)


@pytest.mark.parametrize(
    ("change", "level", "severity"),
    [
        (ChangeType.MISSING, "error", "critical"),
        (ChangeType.AMBIGUOUS, "warning", "major"),
        (ChangeType.STRUCTURAL, "warning", "major"),
        (ChangeType.CONTENT, "warning", "minor"),
        (ChangeType.AGGREGATE, "warning", "minor"),
        (ChangeType.COSMETIC, "note", "info"),
    ],
)
def test_each_change_has_its_level(change: ChangeType, level: str, severity: str) -> None:
    [result] = sarif(finding(change))["results"]
    assert (result["ruleId"], result["level"]) == (change, level)
    [issue] = gitlab(finding(change))
    assert (issue["check_name"], issue["severity"]) == (change, severity)
    page = FORMATS["github"](report(finding(change)))
    assert page.startswith({"error": "::error ", "warning": "::warning ", "note": "::notice "}[level])


def test_sarif_tells_where_it_was_and_where_it_may_be() -> None:
    results = sarif(*everything().findings)["results"]
    places = [
        (place["physicalLocation"]["artifactLocation"]["uri"], place["physicalLocation"]["region"]["startLine"])
        for result in results
        for place in result.get("relatedLocations", [])
    ]
    assert places == [("shop.py", 10), ("a.py", 3), ("b.py", 9)]


def test_what_is_ambiguous_without_a_trigger_is_a_note() -> None:
    [result] = sarif(Finding(subscription(), locations=("a.py:1", "b.py:1")))["results"]
    assert (result["ruleId"], result["level"]) == ("AMBIGUOUS", "note")


def test_a_name_in_sarif_is_no_link() -> None:
    [result] = sarif(finding(subscription=subscription(label="x[0](y)")))["results"]
    assert result["message"]["text"].startswith(r"Cart.total: interface changed; x\[0\](y); ")


@settings(max_examples=n_examples(100), deadline=None)
@given(words)
def test_paths_come_back_from_uris(path: str) -> None:
    [result] = sarif(finding(after=moved(path=path)))["results"]
    check_location(result["locations"][0])
    assert unquote(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == path


# GitHub


def test_annotations() -> None:
    by = "by 111111111111 (Fix rounding)"
    about = "api/**::*Controller.*: match NewController.get added, match OldController.get changed " + by
    assert FORMATS["github"](everything()).splitlines() == [
        "::warning file=src/a b%3Ac%2C50%25[x](y).py,line=12,endLine=14,"
        f"title=Cart.total%3A moved to src/a b%3Ac%2C50%25[x](y).py%2C interface and body changed {by}"
        "::tax | `rules` <b> @all; Ask the *accountants*.; was def total(self); now def total(self, tax); "
        "accepted at shop.py:10-11; sub-0000000001",
        "::error file=shop.py,line=10,endLine=11,title=Cart.total%3A deleted with its file::sub-0000000002",
        f"::warning file=api/a.py,line=3,endLine=5,title=NewController.get%3A added {by}::{about}; sub-0000000003",
        f"::warning file=api/b.py,line=7,endLine=9,title=OldController.get%3A changed {by}::{about}; sub-0000000003",
        "::notice file=shop.py,line=10,endLine=11,title=Cart.total%3A gone%2C and several could be its successor"
        "::may be a.py:3, b.py:9-12; sub-0000000004",
        "::warning file=docs/guide.md,line=7,endLine=7,"
        "title=shop.py%3A%3ACart has changed since ffffffffffff (body change)"
        "::check the paragraph that names it; it is now at shop.py:1-9",
    ]
    assert FORMATS["github"](report()) == ""


@settings(max_examples=n_examples(100), deadline=None)
@given(words, words)
def test_a_command_is_one_line_and_reads_back(label: str, path: str) -> None:
    found = finding(subscription=subscription(label=label), after=moved(path=path))
    text = FORMATS["github"](report(found))
    assert text.count("\n") == 1
    command = re.fullmatch(r"::warning file=([^:,]*),line=12,endLine=14,title=([^:,]*)::([^\r\n]*)\n", text)
    assert command is not None
    assert unquote(command[1]) == path


@pytest.mark.parametrize("label", ["tax", "😀" * 150])
def test_a_comment_is_bounded(label: str) -> None:
    findings = [
        finding(subscription=subscription(id_, label=label), trigger=trigger(id_))
        for id_ in (f"sub-{number:010}" for number in range(2000))
    ]
    body = FORMATS["github-comment"](report(*findings))
    assert body.startswith("<!-- birthmark-scan -->\n## Birthmark: 2,000 triggers\n")
    assert len(body.encode("utf-16-le")) // 2 <= 65_536
    more = re.search(r"\n\n… and ([\d,]+) more\n\Z", body)
    assert more is not None
    assert int(more[1].replace(",", "")) + body.count("\n- ") == 2000
    assert body.count("\n- ") == body.count("\n  - now at") > 100


def test_a_short_comment_is_the_summary() -> None:
    assert FORMATS["github-comment"](everything()) == f"<!-- birthmark-scan -->\n{FORMATS['markdown'](everything())}"


def test_long_lists_are_abridged() -> None:
    found = finding(trigger=trigger(change=ChangeType.AGGREGATE, added=[f"m{number}" for number in range(25)]))
    assert "`m19` and 5 more\n" in FORMATS["markdown"](report(found))
    assert "m19 and 5 more; " in FORMATS["github"](report(found))


# GitLab


def test_code_quality() -> None:
    [issue] = gitlab(finding())
    assert issue.pop("fingerprint") == list_annotations(report(finding()))[0].fingerprint
    assert issue == {
        "description": "Cart.total: interface changed; accepted at shop.py:10-11; sub-0000000001",
        "check_name": "STRUCTURAL",
        "severity": "major",
        "location": {"path": "shop.py", "lines": {"begin": 12, "end": 14}},
    }
    assert gitlab() == []


def test_code_quality_always_has_a_place() -> None:
    nowhere = finding(
        trigger=None, after=None, subscription=subscription(accepted=state("", 0, 0)), locations=("a", "b")
    )
    [issue] = gitlab(nowhere)
    assert issue["location"] == {"path": ".", "lines": {"begin": 1, "end": 1}}
    assert sarif(nowhere)["results"][0]["locations"] == []
    assert FORMATS["github"](report(nowhere)).startswith("::notice title=")
