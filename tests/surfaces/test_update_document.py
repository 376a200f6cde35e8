"""Update documents come back as they were written, and a damaged one is refused in a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.comparison.patch import Hunk
from birthmark.errors import BirthmarkError
from birthmark.subscriptions.model import (
    Accepted,
    AcceptedFingerprints,
    Anchors,
    DocLink,
    Finding,
    Member,
    Proposal,
    ScanReport,
    Semantic,
    Subscription,
    Trigger,
)
from birthmark.surfaces.formats.update_document import read_updates, write_updates, write_updates_markdown
from birthmark.vocabulary import AnchorStatus
from reports import everything, report

WRITERS = [write_updates, write_updates_markdown]
ACCEPTABLE = ["sub-0000000001", "sub-0000000003", "sub-0000000005", "sub-0000000006"]

hostile = st.sampled_from(
    ["-->", "--", ">", "--!>", "<!--", "\n- [x] sub-1", "<!-- birthmark-updates\n{}\n-->", "\\", '"', "\u2028"]
)
texts = st.lists(hostile | st.text(st.characters(codec="utf-8"), max_size=5), max_size=3).map("".join)
ids = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=10, max_size=10).map("sub-{}".format)
lines = st.integers(0, 10**6)
maybe = st.none() | texts

prints = st.builds(
    AcceptedFingerprints, interface=texts, body=maybe, content=texts, documentation=maybe, text=texts, version=lines
)
members = st.builds(Member, name=texts, fingerprints=prints, is_private=st.booleans(), origin=maybe, kind=texts)
accepted = st.builds(
    Accepted,
    path=texts,
    start_line=lines,
    mark=maybe,
    semantic=st.none() | st.builds(Semantic, qualname=texts, fingerprints=prints, language=texts, kind=texts),
    members=st.lists(members, max_size=2).map(tuple),
    anchors=st.none() | st.builds(Anchors, before=st.tuples(texts), first=texts, after=st.tuples(texts), text=texts),
    files=st.dictionaries(texts, texts, max_size=2),
)
details = st.dictionaries(texts, st.lists(texts | st.dictionaries(texts, texts, max_size=2), max_size=2), max_size=2)
findings = st.builds(
    Finding,
    subscription=st.builds(Subscription, id=ids, ref=texts, label=maybe, description=maybe, accepted=accepted),
    trigger=st.none()
    | st.builds(
        Trigger,
        subscription_id=ids,
        path=texts,
        start_line=lines,
        end_line=lines,
        reasons=st.tuples(texts),
        matching_hunks=st.tuples(st.builds(Hunk, lines, lines, lines, lines)),
        details=details,
    ),
    proposal=st.none() | st.builds(Proposal, subscription_id=ids, reasons=st.tuples(texts), new_path=texts),
    locations=st.lists(texts, max_size=3).map(tuple),
    after=st.none() | accepted,
)
links = st.builds(DocLink, path=texts, ref=texts, status=st.sampled_from(AnchorStatus))
reports = st.builds(
    ScanReport,
    base=texts,
    target=texts,
    findings=st.lists(findings, max_size=3, unique_by=lambda found: found.subscription.id).map(tuple),
    docs=st.lists(links, max_size=1).map(tuple),
    scan=st.none() | lines,
)


@pytest.mark.parametrize("write", WRITERS)
@given(data=st.data())
def test_reports_come_back(write: Callable[[ScanReport], str], data: st.DataObject) -> None:
    written = data.draw(reports)
    read, ids_ = read_updates(write(written))
    assert read == written
    assert ids_ == [found.subscription.id for found in written.findings if found.after is not None]


@given(reports)
def test_nothing_ends_the_comment_early(written: ScanReport) -> None:
    data = write_updates_markdown(written).rpartition("<!-- birthmark-updates\n")[2]
    assert data.endswith("\n-->\n")
    assert "--" not in data[:-5]
    assert ">" not in data[:-5]


@pytest.mark.parametrize("write", WRITERS)
def test_all_is_applied_unless_somebody_says_otherwise(write: Callable[[ScanReport], str]) -> None:
    assert read_updates(write(everything())) == (everything(), ACCEPTABLE)


def test_the_document_has_a_version() -> None:
    assert json.loads(write_updates(everything()))["version"] == 1


@pytest.mark.parametrize(
    ("edit", "applied"),
    [
        (lambda text: text.replace("[x] sub-0000000001", "[ ] sub-0000000001"), ACCEPTABLE[1:]),
        (lambda text: text.replace("- [x]", "- [ ]"), []),
        (lambda text: text.replace("- [x]", "* [X]"), ACCEPTABLE),
        (lambda text: re.sub(r"- \[x\] sub-0000000003.*\n", "", text), [ACCEPTABLE[0], *ACCEPTABLE[2:]]),
        (lambda text: text.replace("\n", "\r\n"), ACCEPTABLE),
        (lambda text: "\ufeff" + text, ACCEPTABLE),
        (lambda text: "A word before.\n\n" + text, ACCEPTABLE),
        (lambda text: "- [ ] sub-0000000006\n\n" + text, ACCEPTABLE[:-1]),
    ],
)
def test_only_what_is_ticked_is_applied(edit: Callable[[str], str], applied: list[str]) -> None:
    assert read_updates(edit(write_updates_markdown(everything()))) == (everything(), applied)


def test_a_reviewer_understands_it() -> None:
    page = write_updates_markdown(everything())
    for line in (
        "## The interface of what is subscribed to has changed",
        "## Members, matches or users of what is subscribed to have changed",
        "## They have only moved",
        "## They are muted",
        "- [x] sub-0000000006 `shop.py:10-11` `Cart.total`: shifted to lines 12-13",
        "- [x] sub-0000000003 `api/**::*Controller.*`: match `NewController.get` added, "
        "match `OldController.get` changed by 111111111111 (Fix rounding)",
        "  - `api/a.py:3-5` `NewController.get`: added by 111111111111 (Fix rounding)",
        "- sub-0000000002 `shop.py:10-11` `Cart.total`: deleted with its file",
        "- sub-0000000004 `shop.py:10-11` `Cart.total`: gone, and may be one of `a.py:3` or `b.py:9-12`",
    ):
        assert line in page.splitlines()
    assert page.count("- [x] ") == len(ACCEPTABLE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no update document"),
        ("# Notes\n\n- [x] sub-0000000001\n", "no update document"),
        ("{", "damaged"),
        ("{}", "damaged"),
        ('{"version": 1, "report": {"base": 1}}', "damaged"),
        ('{"version": 1, "report": ' + '{"a":' * 100_000, "damaged"),
        ('{"version": 2, "report": {}}', "version 2"),
        (write_updates(everything())[:-50], "damaged"),
        (write_updates_markdown(everything())[:-50], "damaged"),
        (write_updates_markdown(everything()).replace('"findings"', '"founds"'), "damaged"),
        (write_updates_markdown(everything()).replace("- sub-0000000002", "- [x] sub-0000000002"), "sub-0000000002"),
        ("- [x] sub-9999999999\n" + write_updates_markdown(report()), "sub-9999999999"),
    ],
)
def test_a_damaged_document_is_refused_in_a_line(text: str, message: str) -> None:
    with pytest.raises(BirthmarkError, match=message) as caught:
        read_updates(text)
    assert "\n" not in str(caught.value)
    assert "birthmark scan --updates" in str(caught.value)
