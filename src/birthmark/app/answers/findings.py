"""Match the findings of any tool with those of an earlier run, by the identity of the code that they are about.

Takes two SARIF logs as parsed JSON, and the states of the repository that they were made in; gives the new log with an
anchor and a fingerprint in each result, and with `baselineState` if there is an earlier one. A finding is the same if
its rule is the same and the anchor of the old one leads to its lines, or to its definition.
"""

from __future__ import annotations

import json
import os
import re
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
_MOST_BASES = 10
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_INDEXES = ("index", "ruleIndex")
_LONE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
Log = dict[str, Any]


class Finding(NamedTuple):
    """A result of a log, and the anchor of its lines; None if they are not in the repository.

    `where` is the path, or the address of a file that is outside.
    """

    tool: str
    result: Log
    rule: str
    message: str
    path: str
    where: str
    lines: tuple[int, int]
    anchor: Anchor | None

    @property
    def definition(self) -> tuple[str, str]:
        return (self.anchor.path, self.anchor.name) if self.anchor is not None else (self.where, "")

    @property
    def tokens(self) -> str:
        """Return the hash of its lines, or of the whole definition if it is about that; else file and message."""
        if self.anchor is None:
            return f"{self.where}\0{self.message}"
        return self.anchor.within.tokens if self.anchor.within is not None else self.anchor.fingerprints


class _Old(NamedTuple):
    """An earlier finding, and what became of its lines since."""

    finding: Finding
    fate: AnchorFate | None

    @property
    def place(self) -> tuple[str, tuple[int, int]]:
        """Return the present file and lines; those of its log if it has no anchor."""
        fate = self.fate
        if fate is None:
            return self.finding.where, self.finding.lines
        if fate.path is None:
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
    (lambda old: ("lines", *old.place), lambda new: ("lines", new.where, new.lines)),
    (lambda old: ("start", old.place[0], old.place[1][0]), lambda new: ("start", new.where, new.lines[0])),
    (lambda old: (old.definition, old.finding.tokens), lambda new: (new.definition, new.tokens)),
    (lambda old: (old.definition, old.finding.message), lambda new: (new.definition, new.message)),
    (lambda old: (old.definition,), lambda new: (new.definition,)),
    (lambda old: (old.finding.tokens, old.finding.message), lambda new: (new.tokens, new.message)),
    (lambda old: ("message", old.place[0], old.finding.message), lambda new: ("message", new.where, new.message)),
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
    earlier: list[_Old] = []
    if old is not None:
        earlier = _follow(repository, _read_old(repository, old, base), state)
        pairs = _pair(earlier, findings)
        kept = {id(one) for one in pairs.values()}
        gone = [one.finding for one in earlier if id(one) not in kept]
    states = [_state_of(pairs.get(at_), one) if old is not None else None for at_, one in enumerate(findings)]
    for at_, (one, found) in enumerate(zip(findings, states, strict=True)):
        _annotate(one, pairs.get(at_), found)
    _add_absent(new, gone)
    n_adrift = sum(one.fate is None and bool(one.finding.path) for one in earlier)
    counts = Counter(found for found in states if found is not None) + Counter({FindingState.ABSENT: len(gone)})
    rows = [(one, found) for one, found in zip(findings, states, strict=True) if found is FindingState.NEW]
    return FindingsDocument(
        len(findings),
        {str(word): counts[word] for word in FindingState} if old is not None else {},
        [_document(one, found) for one, found in rows],
        [_document(one, FindingState.ABSENT) for one in gone],
        sum(one.anchor is None for one in findings),
        new,
        n_adrift,
    )


def _read_old(repository: OpenRepository, log: Log, base: str | None) -> list[Finding]:
    """Return earlier findings with anchors: of `base` if it is given, else their own, else of the log's revision."""
    revision = base or next((one for run in _runs(log) for one in _revisions(run)), None)
    state = repository.find_revision(revision)
    if base is not None and state is None:
        raise BirthmarkError(f"{base}: no such revision; name the one that the earlier results were made at")
    maker = AnchorMaker(repository, state) if state is not None else None
    return list(_read(repository, log, maker, keeps_anchors=base is None))


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
    is_same_code = old.fate is None or old.finding.tokens == finding.tokens
    is_same = is_same_code and old.finding.message == finding.message
    return FindingState.UNCHANGED if is_same else FindingState.UPDATED


def _annotate(finding: Finding, old: _Old | None, state: FindingState | None) -> None:
    """Write the fingerprint, the anchor and the state; a finding that is the same keeps its fingerprint."""
    result, anchor = finding.result, finding.anchor
    known = _text(_dict(old.finding.result, "partialFingerprints"), FINGERPRINT) if old is not None else ""
    if anchor is not None:
        print_ = known or _fingerprint(finding, anchor)
        result["partialFingerprints"] = _dict(result, "partialFingerprints") | {FINGERPRINT: print_}
        own = {"anchor": str(anchor), "definition": anchor.name or finding.path}
        result["properties"] = _dict(result, "properties") | {PROPERTY: own}
    if state is not None:
        result["baselineState"] = str(state)


def _fingerprint(finding: Finding, anchor: Anchor) -> str:
    identity = anchor.mark or f"{anchor.path}::{anchor.name}"
    return xxhash.xxh64_hexdigest("\0".join((finding.rule, identity, finding.tokens)).encode())


def _add_absent(log: Log, gone: Iterable[Finding]) -> None:
    """Append the earlier results that are no longer there to the run of their tool, as the format prescribes."""
    runs = {_tool_of(run): run for run in reversed(list(_runs(log)))}
    for one in gone if runs else ():
        run = runs.get(one.tool) or next(reversed(runs.values()))
        absent = _without_indexes(one.result) | {"baselineState": str(FindingState.ABSENT)}
        if one.rule:
            absent["ruleId"] = one.rule
        run["results"] = [*_list(run, "results"), absent]


def _without_indexes(value: Any) -> Any:
    """Leave out indexes into tables of the run, which another run does not have."""
    if isinstance(value, list):
        return [_without_indexes(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {name: one for name, one in value.items() if name not in _INDEXES or not isinstance(one, int)}
    return {name: one if name == "properties" else _without_indexes(one) for name, one in kept.items()}


def _document(finding: Finding, state: FindingState | None) -> FindingDocument:
    name = finding.anchor.name if finding.anchor is not None else ""
    message = finding.message[:_MOST_WORDS]
    return FindingDocument(finding.rule, message, finding.path, *finding.lines, name or None, state or FindingState.NEW)


# Reading SARIF


def read_log(text: bytes, name: str) -> Log:
    """Parse a log; raise an error that says what is wrong with it."""
    try:
        log = json.loads(text)
        if _LONE_SURROGATE.search(text):  # Tools cut a message in the middle of a character.
            log = json.loads(json.dumps(log, ensure_ascii=False).encode(errors="replace"))
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


def _tool_of(run: Log) -> str:
    return _text(_dict(_dict(run, "tool"), "driver"), "name")


def _read(
    repository: OpenRepository, log: Log, maker: AnchorMaker | None, *, keeps_anchors: bool = False
) -> Iterator[Finding]:
    """Yield the findings of a log; with `keeps_anchors`, with the anchors that they carry if they do."""
    for run in _runs(log):
        for result in _list(run, "results"):
            if _is_dict(result) and result.get("baselineState") != FindingState.ABSENT:
                stored = _stored_anchor(result)
                one = _finding(repository, run, result, None if keeps_anchors and stored is not None else maker)
                yield one if one.anchor is not None else one._replace(anchor=stored)


def _finding(repository: OpenRepository, run: Log, result: Log, maker: AnchorMaker | None) -> Finding:
    message = _dict(result, "message")
    words = message.get("text") or message.get("markdown") or message.get("id") or ""
    place = next((_dict(one, "physicalLocation") for one in _list(result, "locations") if _is_dict(one)), {})
    region = _dict(place, "region")
    first = max(_number(region, "startLine", 1), 1)
    lines = first, max(_number(region, "endLine", first), first)
    address = _address(run, _dict(place, "artifactLocation"))
    path = _path_of(repository, address)
    anchor = None
    if path and maker is not None:
        with suppress(BirthmarkError):  # The file is not there, or has fewer lines.
            anchor = maker.of_lines(path, *lines)
    return Finding(_tool_of(run), result, _rule_of(run, result), str(words), path, path or address, lines, anchor)


def _rule_of(run: Log, result: Log) -> str:
    """Return the id of the rule; that in the table of the tool if the result has its number alone."""
    rules = _list(_dict(_dict(run, "tool"), "driver"), "rules")
    return _text(result, "ruleId") or _text(_dict(result, "rule"), "id") or _text(_at(rules, result, "ruleIndex"), "id")


def _stored_anchor(result: Log) -> Anchor | None:
    stored = _dict(_dict(result, "properties"), PROPERTY).get("anchor")
    try:
        return parse_anchor(stored) if isinstance(stored, str) else None
    except BirthmarkError:
        return None


def _address(run: Log, artifact: Log) -> str:
    """Return the URI of a file, with the bases that it is relative to; that in the table of the run if it has none."""
    if not _text(artifact, "uri"):
        artifact = _dict(_at(_list(run, "artifacts"), artifact, "index"), "location")
    address, bases = _text(artifact, "uri"), _dict(run, "originalUriBaseIds")
    for _ in range(_MOST_BASES):
        artifact = _dict(bases, _text(artifact, "uriBaseId"))
        base = _text(artifact, "uri")
        if not address or _SCHEME.match(address):
            break
        address = f"{base.rstrip('/')}/{address}" if base else address
    return address


def _path_of(repository: OpenRepository, address: str) -> str:
    """Return the path in the repository; empty if it is outside."""
    root = str(repository.workspace.root)
    try:
        path = urlsplit(address).path if "://" in address or address.startswith("file:") else address
        return path_from("", unquote(path).removeprefix("./"), (root, os.path.realpath(root))) if path else ""
    except (BirthmarkError, ValueError):
        return ""


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _dict(value: Mapping[str, Any], name: str) -> Log:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _number(value: Mapping[str, Any], name: str, default: int) -> int:
    found = value.get(name)
    return found if isinstance(found, int) else default


def _at(table: list[Any], value: Mapping[str, Any], name: str) -> Log:
    """Return the object of a table that has the number in a field; an empty one if there is none."""
    number = _number(value, name, -1)
    return table[number] if 0 <= number < len(table) and _is_dict(table[number]) else {}


def _list(value: Mapping[str, Any], name: str) -> list[Any]:
    found = value.get(name)
    return found if isinstance(found, list) else []
