"""Match the findings of any tool with those of an earlier run, by the identity of the code that they are about.

Takes two SARIF logs as parsed JSON, and the states of the repository that they were made in; gives the new log with an
anchor and a fingerprint in each result, and with `baselineState` if there is an earlier one. A finding is the same if
its rule is the same and the anchor of the old one leads to its lines, or to its definition.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import xxhash

from birthmark.app.answers.anchors import AnchorFate, AnchorFinder, AnchorMaker
from birthmark.app.workspace.repository import OpenRepository
from birthmark.documents.findings import FindingDocument, FindingsDocument
from birthmark.errors import BirthmarkError
from birthmark.extraction.state import RepositoryState
from birthmark.identity.anchors import Anchor, parse_anchor
from birthmark.queries.ref_forms import path_from
from birthmark.vocabulary import FindingState

FINGERPRINT = "birthmarkIdentity/v1"
PROPERTY = "birthmark"
_VERSION = "2.1.0"
_MOST_WORDS = 200  # characters of a message
Log = dict[str, Any]


class Finding(NamedTuple):
    """A result of a log, and the anchor of its lines; None if they are not in the repository."""

    result: Log
    rule: str
    message: str
    path: str
    lines: tuple[int, int]
    anchor: Anchor | None

    @property
    def definition(self) -> tuple[str, str]:
        return (self.anchor.path, self.anchor.name) if self.anchor is not None else (self.path, "")

    @property
    def tokens(self) -> str:
        """Return the hash of its lines, or of the whole definition if it is about that."""
        if self.anchor is None:
            return ""
        return self.anchor.within.tokens if self.anchor.within is not None else self.anchor.fingerprints


class _Old(NamedTuple):
    """An earlier finding, and what became of its lines since."""

    finding: Finding
    fate: AnchorFate | None

    @property
    def place(self) -> tuple[str, tuple[int, int]]:
        """Return the present file and lines."""
        fate = self.fate
        if fate is None or fate.path is None:
            return "", (0, 0)
        if fate.lines is not None or fate.now is None:
            return fate.path, fate.lines or (0, 0)
        return fate.path, (fate.now.entity.start_line, fate.now.entity.end_line)

    @property
    def definition(self) -> tuple[str, str]:
        """Return the present file and name of the definition."""
        now = self.fate.now if self.fate is not None else None
        return (now.file.path, now.entity.qualified_name) if now is not None else self.finding.definition


# From the surest to the boldest: what an earlier finding and one of now have in common.
_Key = tuple[object, ...]
_PASSES: tuple[tuple[Callable[[_Old], _Key], Callable[[Finding], _Key]], ...] = (
    (lambda old: ("lines", *old.place), lambda new: ("lines", new.path, new.lines)),
    (lambda old: ("start", old.place[0], old.place[1][0]), lambda new: ("start", new.path, new.lines[0])),
    (lambda old: (old.definition, old.finding.tokens), lambda new: (new.definition, new.tokens)),
    (lambda old: (old.definition, old.finding.message), lambda new: (new.definition, new.message)),
    (lambda old: (old.definition,), lambda new: (new.definition,)),
    (lambda old: (old.finding.tokens, old.finding.message), lambda new: (new.tokens, new.message)),
)


def match_findings(
    repository: OpenRepository, new: Log, old: Log | None = None, *, base: str | None = None, at: str | None = None
) -> FindingsDocument:
    """Return the new log with fingerprints; with an old one, the state of each finding as well.

    `at` is the revision of the new log, the worktree without one. `base` is that of the old log, needed only if that
    has no anchors and does not name its revision.
    """
    state = repository.named(at)
    findings = list(_read(repository, new, AnchorMaker(repository, state)))
    pairs: dict[int, _Old] = {}
    gone: list[Finding] = []
    if old is not None:
        earlier = _follow(repository, _read_old(repository, old, base), state)
        pairs = _pair(earlier, findings)
        kept = {id(one) for one in pairs.values()}
        gone = [one.finding for one in earlier if id(one) not in kept]
    states = [_state_of(pairs.get(at_), one) if old is not None else None for at_, one in enumerate(findings)]
    for at_, (one, found) in enumerate(zip(findings, states, strict=True)):
        _annotate(one, pairs.get(at_), found)
    _add_absent(new, gone)
    counts = Counter(found for found in states if found is not None) + Counter({FindingState.ABSENT: len(gone)})
    rows = [(one, found) for one, found in zip(findings, states, strict=True) if found is FindingState.NEW]
    return FindingsDocument(
        len(findings),
        {str(word): counts[word] for word in FindingState} if old is not None else {},
        [_document(one, found) for one, found in rows],
        [_document(one, FindingState.ABSENT) for one in gone],
        sum(one.anchor is None for one in findings),
        new,
    )


def _read_old(repository: OpenRepository, log: Log, base: str | None) -> list[Finding]:
    """Return earlier findings with the anchors that they carry; else with those of their revision."""
    revision = base or next((one for run in _runs(log) for one in _revisions(run)), None)
    state = repository.find_revision(revision)
    if base is not None and state is None:
        raise BirthmarkError(f"{base}: no such revision; name the one that the earlier results were made at")
    return list(_read(repository, log, AnchorMaker(repository, state) if state is not None else None))


def _follow(repository: OpenRepository, findings: Iterable[Finding], state: RepositoryState) -> list[_Old]:
    finder = AnchorFinder(repository, state)
    fates: dict[Anchor, AnchorFate] = {}
    for one in findings:
        if one.anchor is not None and one.anchor not in fates:
            fates[one.anchor] = finder.find(one.anchor)
    return [_Old(one, fates.get(one.anchor) if one.anchor is not None else None) for one in findings]


def _pair(earlier: list[_Old], findings: list[Finding]) -> dict[int, _Old]:
    """Return the earlier ones of findings by their numbers; each is used once, in the order of both logs."""
    pairs: dict[int, _Old] = {}
    left = earlier
    for of_old, of_new in _PASSES:
        waiting: dict[_Key, list[_Old]] = {}
        for one in left:
            waiting.setdefault((one.finding.rule, *of_old(one)), []).append(one)
        for at, finding in enumerate(findings):
            same = waiting.get((finding.rule, *of_new(finding))) if at not in pairs else None
            if same:
                pairs[at] = same.pop(0)
        paired = {id(one) for one in pairs.values()}
        left = [one for one in left if id(one) not in paired]
    return pairs


def _state_of(old: _Old | None, finding: Finding) -> FindingState:
    if old is None:
        return FindingState.NEW
    is_same = old.finding.tokens == finding.tokens and old.finding.message == finding.message
    return FindingState.UNCHANGED if is_same else FindingState.UPDATED


def _annotate(finding: Finding, old: _Old | None, state: FindingState | None) -> None:
    """Write the fingerprint, the anchor and the state; a finding that is the same keeps its fingerprint."""
    prints = finding.result.setdefault("partialFingerprints", {})
    known = old.finding.result.get("partialFingerprints", {}).get(FINGERPRINT) if old is not None else None
    if finding.anchor is not None:
        prints[FINGERPRINT] = known or _fingerprint(finding, finding.anchor)
        properties = finding.result.setdefault("properties", {})
        properties[PROPERTY] = {"anchor": str(finding.anchor), "definition": finding.anchor.name or finding.path}
    if state is not None:
        finding.result["baselineState"] = str(state)


def _fingerprint(finding: Finding, anchor: Anchor) -> str:
    identity = anchor.mark or f"{anchor.path}::{anchor.name}"
    return xxhash.xxh64_hexdigest("\0".join((finding.rule, identity, finding.tokens)).encode())


def _add_absent(log: Log, gone: Iterable[Finding]) -> None:
    """Append the earlier results that are no longer there, as the format prescribes."""
    runs = list(_runs(log))
    for one in gone:
        if runs:
            runs[0].setdefault("results", []).append({**one.result, "baselineState": str(FindingState.ABSENT)})


def _document(finding: Finding, state: FindingState | None) -> FindingDocument:
    name = finding.anchor.name if finding.anchor is not None else ""
    message = finding.message[:_MOST_WORDS]
    return FindingDocument(finding.rule, message, finding.path, *finding.lines, name or None, state or FindingState.NEW)


# Reading SARIF


def read_log(text: bytes, name: str) -> Log:
    """Parse a log; raise an error that says what is wrong with it."""
    try:
        log = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BirthmarkError(f"{name}: is no JSON ({error}); name a SARIF file") from error
    version = log.get("version") if isinstance(log, dict) else None
    if not isinstance(log, dict) or not isinstance(log.get("runs"), list):
        raise BirthmarkError(f"{name}: has no runs; name a SARIF file")
    if version != _VERSION:
        raise BirthmarkError(f"{name}: has version {str(version)[:20]} of SARIF; let the tool write {_VERSION}")
    return log


def _runs(log: Log) -> Iterator[Log]:
    yield from (run for run in log["runs"] if isinstance(run, dict))


def _revisions(run: Log) -> Iterator[str]:
    for one in _list(run, "versionControlProvenance"):
        if isinstance(one, dict) and isinstance(one.get("revisionId"), str):
            yield one["revisionId"]


def _read(repository: OpenRepository, log: Log, maker: AnchorMaker | None) -> Iterator[Finding]:
    for run in _runs(log):
        bases = {name: one.get("uri", "") for name, one in _dict(run, "originalUriBaseIds").items() if _is_dict(one)}
        for result in _list(run, "results"):
            if _is_dict(result) and result.get("baselineState") != FindingState.ABSENT:
                yield _finding(repository, result, bases, maker)


def _finding(repository: OpenRepository, result: Log, bases: Mapping[str, Any], maker: AnchorMaker | None) -> Finding:
    rule = result.get("ruleId") or _dict(result, "rule").get("id") or ""
    message = _dict(result, "message")
    words = message.get("text") or message.get("markdown") or message.get("id") or ""
    place = next((_dict(one, "physicalLocation") for one in _list(result, "locations") if _is_dict(one)), {})
    region = _dict(place, "region")
    first = region.get("startLine") if isinstance(region.get("startLine"), int) else 1
    last = region.get("endLine") if isinstance(region.get("endLine"), int) else first
    lines = (max(int(first or 1), 1), max(int(last or 1), int(first or 1), 1))
    path = _path_of(repository, _dict(place, "artifactLocation"), bases)
    anchor = _stored_anchor(result) if maker is None else None
    if path and maker is not None:
        with suppress(BirthmarkError):  # The file is not there, or has fewer lines.
            anchor = maker.of_lines(path, *lines)
    return Finding(result, str(rule), str(words), path, lines, anchor or _stored_anchor(result))


def _stored_anchor(result: Log) -> Anchor | None:
    stored = _dict(_dict(result, "properties"), PROPERTY).get("anchor")
    try:
        return parse_anchor(stored) if isinstance(stored, str) else None
    except BirthmarkError:
        return None


def _path_of(repository: OpenRepository, artifact: Log, bases: Mapping[str, Any]) -> str:
    """Return the path in the repository; empty if it is outside."""
    uri = artifact.get("uri")
    if not isinstance(uri, str):
        return ""
    base = str(bases.get(artifact.get("uriBaseId", ""), ""))
    whole = base.rstrip("/") + "/" + uri if base and not urlsplit(uri).scheme else uri
    path = unquote(urlsplit(whole).path if "://" in whole or whole.startswith("file:") else whole)
    root = str(repository.workspace.root)
    try:
        return path_from("", path.removeprefix("./"), (root,))
    except BirthmarkError:
        return ""


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _dict(value: Mapping[str, Any], name: str) -> Log:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _list(value: Mapping[str, Any], name: str) -> list[Any]:
    found = value.get(name)
    return found if isinstance(found, list) else []
