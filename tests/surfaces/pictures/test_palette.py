"""Every text can be read on what it is written on, in both themes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from birthmark.surfaces.formats.pictures.svg import CHANGES, DARK, HEAT_STEPS, LIGHT, rules, theme

HEATS = tuple(f"heat-{step}" for step in range(1, HEAT_STEPS + 1))
# Texts, and what they are written on.
WRITTEN = [
    *(("ink", ground) for ground in ("ground", "box", "root-box", "test-box", *HEATS)),
    *(("faint", ground) for ground in ("ground", "box", "root-box", "test-box")),
    *(("ground", change) for change in CHANGES),
]
# Lines and marks, which need 3 to 1 on the ground.
DRAWN = [*CHANGES, "documented", "mark", "root", "test"]


def luminance(colour: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lower, higher = sorted((luminance(one), luminance(other)))
    return (higher + 0.05) / (lower + 0.05)


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_and_marks_are_seen(colours: Mapping[str, str]) -> None:
    texts = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in WRITTEN}
    assert {pair: ratio for pair, ratio in texts.items() if ratio < 4.5} == {}
    marks = {name: round(contrast(colours[name], colours["ground"]), 2) for name in DRAWN}
    assert {name: ratio for name, ratio in marks.items() if ratio < 3} == {}


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_each_step_of_heat_is_farther_from_the_ground(colours: Mapping[str, str]) -> None:
    steps = [contrast(colours[heat], colours["ground"]) for heat in HEATS]
    assert steps == sorted(steps)


def test_themes_have_the_same_colours_and_rules_have_none() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert "#" not in rules("svg.picture")
    assert theme("svg", {"ink": "#000000"}) == "svg { --picture-ink: #000000; }\n"
    for name in LIGHT:
        assert f"var(--picture-{name})" in rules("svg"), name
