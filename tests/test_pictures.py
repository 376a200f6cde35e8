"""The pictures of the documents show what the commands print; `make docs-pictures` draws them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from terminal_pictures import PICTURES, SESSIONS, draw_session


@pytest.mark.parametrize("name", SESSIONS)
def test_picture_is_current(name: str, tmp_path: Path) -> None:
    assert draw_session(name, tmp_path) == (PICTURES / f"{name}.svg").read_text("utf-8")


def test_pictures_load_nothing() -> None:
    for picture in PICTURES.glob("*.svg"):
        text = picture.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text
        assert text.count("url(") == text.count("url(#")
