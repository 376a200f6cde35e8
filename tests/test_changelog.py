"""The changelog, the version and the tags agree."""

from __future__ import annotations

import re
import subprocess
from datetime import date
from pathlib import Path

from birthmark import __version__

ROOT = Path(__file__).parents[1]
HEADINGS = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
FORM = re.compile(r"(\d+\.\d+\.\d+) \((unreleased|\d{4}-\d\d-\d\d)\)")


def sections() -> list[tuple[str, str]]:
    found = [FORM.fullmatch(heading) for heading in HEADINGS]
    assert all(found), HEADINGS
    return [(match[1], match[2]) for match in found if match]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_sections_are_versions_the_newest_first() -> None:
    versions = [numbers(version) for version, _ in sections()]
    assert versions == sorted(set(versions), reverse=True)


def test_all_but_the_first_section_have_a_date() -> None:
    dates = [date.fromisoformat(when) for _, when in sections() if when != "unreleased"]
    assert dates == sorted(dates, reverse=True)
    assert [when for _, when in sections()[1:] if when == "unreleased"] == []


def test_the_version_is_that_of_the_first_section() -> None:
    version, when = sections()[0]
    assert __version__ == (f"{version}.dev0" if when == "unreleased" else version)


def test_a_section_is_read_in_a_minute() -> None:
    for section in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.M)[1:]:
        assert len(section.splitlines()) <= 20, section.partition("\n")[0]


def test_every_tag_has_a_section() -> None:
    tags = subprocess.run(["git", "tag"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()  # noqa: S607
    assert {tag for tag in tags if tag.startswith("v")} <= {f"v{version}" for version, _ in sections()}


def test_a_version_says_how_to_upgrade_to_it() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    assert all("\n### Upgrading from " in part for part in parts[:-1])


def test_every_released_version_has_its_databases_for_the_test_of_upgrades() -> None:
    released = {version for version, when in sections() if when != "unreleased"}
    assert {folder.name for folder in (ROOT / "tests/upgrades").iterdir()} == released
