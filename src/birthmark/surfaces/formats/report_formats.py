"""How a scan's report is written for people and for other programs: a table of formats.

Each takes a ScanReport and gives a text that ends with a line break, or nothing at all if there is nothing to say.
"""

from __future__ import annotations

from collections.abc import Callable

from birthmark.documents.document import encode_json
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.annotations import Annotation, list_annotations
from birthmark.surfaces.formats.comments import SCAN_MARKER, write_comment
from birthmark.surfaces.formats.markdown import write_markdown
from birthmark.surfaces.formats.sarif import write_sarif

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


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
