"""The formats of a report, by name; among them SARIF."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from birthmark import __version__
from birthmark.documents.document import encode_json
from birthmark.documents.wording import LineRange, plain
from birthmark.model import Problem
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.annotations import RULES, Annotation, Rule, list_annotations
from birthmark.surfaces.formats.markdown import SCAN_MARKER, write_comment, write_markdown

Json = dict[str, object]
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_NUMBERS = {rule: number for number, rule in enumerate(RULES)}
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def write_sarif(report: ScanReport) -> str:
    run = {
        "tool": {"driver": _driver()},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [
            {"executionSuccessful": True, "toolExecutionNotifications": [_notification(one) for one in report.problems]}
        ],
        "results": [_result(annotation) for annotation in list_annotations(report)],
        "properties": {"base": report.base, "target": report.target, "scan": report.scan},
    }
    return encode_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}).decode() + "\n"


def _driver() -> Json:
    return {
        "name": "birthmark",
        "semanticVersion": __version__,
        "rules": [_rule(id_, rule) for id_, rule in RULES.items()],
    }


def _rule(id_: str, rule: Rule) -> Json:
    return {
        "id": id_,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.advice},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(annotation: Annotation) -> Json:
    numbered = enumerate([one for one in annotation.related if not one[0].repository], 1)
    related = [_location(location) | {"id": id_, "message": {"text": why}} for id_, (location, why) in numbered]
    return {
        "ruleId": annotation.rule,
        "ruleIndex": _NUMBERS[annotation.rule],
        "level": annotation.level,
        "message": {"text": _no_links(annotation.text)},
        "locations": [_location(annotation.place)] if annotation.place.path else [],
        "partialFingerprints": {"birthmark/v1": annotation.fingerprint},
        **({"relatedLocations": related} if related else {}),
    }


def _no_links(text: str) -> str:
    """SARIF would read `[a](b)` as a link, and a name may hold that."""
    return text.replace("[", "\\[").replace("]", "\\]") if "](" in text else text


def _location(location: LineRange) -> Json:
    """A path is escaped as a whole, so that `a:b` has no scheme and `50%.py` is what it is."""
    physical: Json = {"artifactLocation": {"uri": quote(location.path, safe="/"), "uriBaseId": _ROOT}}
    if location.start > 0:
        physical["region"] = {"startLine": location.start, "endLine": max(location.start, location.end)}
    return {"physicalLocation": physical}


def _notification(problem: Problem) -> Json:
    location = LineRange(problem.path, problem.line or 0, problem.line or 0)
    locations = [_location(location)] if location.path else []
    return {"level": "warning", "message": {"text": _no_links(plain(problem.problem))}, "locations": locations}


def write_github(report: ScanReport) -> str:
    """A workflow command for each annotation; GitHub shows them beside the lines."""
    return "".join(f"{_command(annotation)}\n" for annotation in list_annotations(report))


def write_github_comment(report: ScanReport) -> str:
    """The body of a comment."""
    return write_comment(SCAN_MARKER, write_markdown(report))


def write_gitlab(report: ScanReport) -> str:
    """GitLab's Code Quality."""
    return encode_json([_issue(annotation) for annotation in list_annotations(report)]).decode() + "\n"


FORMATS: dict[str, Callable[[ScanReport], str]] = {
    "markdown": write_markdown,
    "sarif": write_sarif,
    "github": write_github,
    "github-comment": write_github_comment,
    "gitlab": write_gitlab,
}


def _command(annotation: Annotation) -> str:
    location = annotation.place
    lines = {"line": location.start, "endLine": max(location.start, location.end)} if location.start else {}
    properties: dict[str, object] = {
        **({"file": location.path} if location.path else {}),
        **lines,
        "title": annotation.title,
    }
    listed = ",".join(f"{name}={str(value).translate(_IN_PROPERTY)}" for name, value in properties.items())
    return f"::{_COMMANDS[annotation.level]} {listed}::{annotation.placed_message.translate(_IN_MESSAGE)}"


def _issue(annotation: Annotation) -> dict[str, object]:
    """GitLab requires a location: what has none is at the root, what has no lines at the first."""
    begin = max(annotation.place.start, 1)
    return {
        "description": annotation.text,
        "check_name": annotation.rule,
        "fingerprint": annotation.fingerprint,
        "severity": annotation.severity,
        "location": {
            "path": annotation.place.path or ".",
            "lines": {"begin": begin, "end": max(begin, annotation.place.end)},
        },
    }
