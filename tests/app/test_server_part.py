"""The core reaches the server part by names, so what it finds there is compared with what it expects."""

from __future__ import annotations

import re

import pytest

import birthmark.server.across.everywhere
import birthmark.server.commands.deliver_command
import birthmark.server.postgres
import birthmark.server.serving.many
import birthmark.server.serving.telemetry
from birthmark.app.server_part import Across, Databases, Delivery, across, databases, delivery, load_part
from birthmark.errors import BirthmarkError
from birthmark.surfaces.server_part import FleetServing, Telemetry, fleet_serving, telemetry

# Type checkers compare each module with its protocol.
DATABASES: Databases = birthmark.server.postgres
ACROSS: Across = birthmark.server.across.everywhere
DELIVERY: Delivery = birthmark.server.commands.deliver_command
FLEET_SERVING: FleetServing = birthmark.server.serving.many
TELEMETRY: Telemetry = birthmark.server.serving.telemetry


def test_each_part_is_the_module_that_is_compared() -> None:
    found = (databases(), across(), delivery(), fleet_serving(), telemetry())
    assert found == (DATABASES, ACROSS, DELIVERY, FLEET_SERVING, TELEMETRY)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("psycopg", "this needs psycopg; run `pip install 'birthmark[postgres]'`"),
        ("opentelemetry.sdk", "this needs opentelemetry; run `pip install 'birthmark[telemetry]'`"),
        ("birthmark.server", "this needs the server part of birthmark, which is not installed"),
    ],
)
def test_what_must_be_installed_is_named(missing: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("birthmark.app.server_part.importlib.import_module", fail)
    with pytest.raises(BirthmarkError, match=f"^{re.escape(expected)}$"):
        load_part("postgres")


def test_another_missing_module_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError("No module named 'other'", name="other")

    monkeypatch.setattr("birthmark.app.server_part.importlib.import_module", fail)
    with pytest.raises(ModuleNotFoundError):
        load_part("postgres")
