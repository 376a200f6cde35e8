"""The hook and the action that this repository offers have what they must, and trust no input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from birthmark.surfaces.cli.commands.review import FORMATS as REVIEW_FORMATS
from birthmark.surfaces.formats.markdown import REVIEW_MARKER, SCAN_MARKER
from birthmark.surfaces.formats.report_formats import FORMATS

ROOT = Path(__file__).parents[2]
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
ACTION = (ROOT / "action.yml").read_text("utf-8")
FORMAT = re.compile(r"--format (\S+)")


def section(text: str, start: str, end: str) -> str:
    return text.partition(start)[2].partition(end)[0]


@pytest.mark.parametrize(
    ("hook", "entry"),
    [("birthmark-scan", "birthmark scan --exit-code"), ("birthmark-docs", "birthmark scan --docs --exit-code")],
)
def test_hooks(hook: str, entry: str) -> None:
    fields = section(f"{HOOKS}\n- id: ", f"- id: {hook}\n", "\n- id: ").splitlines()
    for field in (
        f"entry: {entry}",
        "language: python",
        "pass_filenames: false",
        "always_run: true",
        "stages: [pre-commit, pre-push]",
    ):
        assert f"  {field}" in fields


@pytest.mark.parametrize("name", ["base", "target", "docs", "review", "fail-on-trigger", "comment"])
def test_inputs_are_described_and_used(name: str) -> None:
    assert re.search(rf"^  {name}:\n    description: .+\n    required: false\n    default: ", ACTION, re.M)
    assert f"inputs.{name}" in section(ACTION, "\nruns:\n", "\0")
    assert f"| `{name}` |" in (ROOT / "docs/how-to/scan-in-ci.md").read_text("utf-8")


def test_the_action_is_composite_and_uses_no_other() -> None:
    assert "\n  using: composite\n" in ACTION
    assert "uses:" not in ACTION
    assert ACTION.count("shell: bash\n") == ACTION.count("run: |\n")


def test_nothing_is_pasted_into_a_script() -> None:
    scripts = re.findall(r"^      run: \|\n((?:        .*\n|\n)+)", ACTION, re.M)
    assert len(scripts) == ACTION.count("run: |")
    assert [script for script in scripts if "${{" in script] == []


def test_formats_and_marker_are_those_that_are_written() -> None:
    page = (ROOT / "docs/how-to/scan-in-ci.md").read_text("utf-8")
    assert SCAN_MARKER in page
    assert REVIEW_MARKER in (ROOT / "docs/how-to/review-a-change.md").read_text("utf-8")
    assert set(FORMAT.findall(ACTION)) <= {*FORMATS, *REVIEW_FORMATS}
    assert {name for name in FORMATS if f"| `{name}` |" not in page} == set()
