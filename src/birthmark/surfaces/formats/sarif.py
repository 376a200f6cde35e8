"""A scan's report as SARIF 2.1.0: one run, a rule for each kind of annotation, a result for each annotation."""

from __future__ import annotations

from urllib.parse import quote

from birthmark import __version__
from birthmark.documents.document import encode_json
from birthmark.documents.wording import LineRange, plain
from birthmark.model import Problem
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.annotations import RULES, Annotation, Rule, list_annotations

Json = dict[str, object]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_NUMBERS = {rule: number for number, rule in enumerate(RULES)}


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
