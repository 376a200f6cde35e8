"""Every case in tests/cases gives just what its expectation says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from case_format import render_case

CASES = Path(__file__).parent / "cases"
SOURCES = sorted(path.relative_to(CASES) for path in CASES.glob("*/*") if path.suffix != ".expected" and path.is_file())


@pytest.mark.parametrize("case", SOURCES, ids=str)
def test_case(case: Path) -> None:
    source = CASES / case
    expected = source.with_name(source.name + ".expected")
    rendered = render_case(case.as_posix(), source.read_bytes())
    if os.environ.get("BIRTHMARK_WRITE_CASES"):
        expected.write_text(rendered, "utf-8")
    assert rendered == expected.read_text("utf-8")
