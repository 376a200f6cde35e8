"""Impact trees and paths of a small repository, and of names and numbers that no repository should have."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import ImpactDocument, PathDocument
from birthmark.questions.impact import Impact, UsePath
from birthmark.surfaces.formats.pictures.use_pictures import draw_impact, draw_path, impact_mermaid, path_mermaid
from birthmark.vocabulary import Resolution
from drawn_pictures import HOSTILE, SVG, boxes, check_picture, links, overlapping, texts, titles
from worlds import World

CODE = """\
def cents(amount):
    return amount * 100


def total(amounts):
    return cents(sum(amounts))


def bill(amounts):
    return total(amounts)
"""
TESTS = "from shop import total\n\n\ndef test_total():\n    assert total([]) == 0\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("pictures") / "w", {"shop.py": CODE, "test_shop.py": TESTS})
    world.index()
    return world


@pytest.fixture(scope="module")
def impact(world: World) -> ImpactDocument:
    with world.session() as session:
        return Impact(ref="cents").answer(session)


@pytest.fixture(scope="module")
def way(world: World) -> PathDocument:
    with world.session() as session:
        return UsePath(start="bill", end="cents").answer(session)


def named(entity: EntityDocument | None, name: str) -> EntityDocument:
    assert entity is not None
    return replace(entity, qualified_name=name, kind=name, path=name)


def test_an_impact_tree(world: World, impact: ImpactDocument) -> None:
    picture = draw_impact(impact, lambda one: f"/e/{one.ref}")
    root = check_picture(picture)
    assert (picture.name, picture.title) == ("impact-of-cents", "What may break when cents is changed")
    assert picture.description.startswith("3 users; total uses cents at shop.py:6; ")
    assert sorted(texts(root, "name")) == ["bill", "cents", "test_total", "total"]
    assert links(root)[:2] == [f"/e/{world.mark('cents')}", f"/e/{world.mark('total')}"]
    assert "test test_total uses total at test_shop.py:5" in titles(root)
    assert overlapping(boxes(root)) == []
    assert links(check_picture(draw_impact(impact))) == []


def test_unsure_uses_are_dashed(impact: ImpactDocument) -> None:
    unsure = replace(impact, results=[replace(impact.results[0], resolution=Resolution.NAME)])
    root = check_picture(draw_impact(unsure))
    assert [one.get("class") for one in root.iter(f"{SVG}path")] == ["line unsure"]


def test_thousands_of_users_do_not_overlap(impact: ImpactDocument) -> None:
    root = check_picture(draw_impact(replace(impact, results=[impact.results[0]] * 3000)))
    assert len(boxes(root)) == 3001
    assert overlapping(boxes(root)) == []
    assert (root.findtext(f"{SVG}desc") or "").endswith("and 2,960 other uses")


def test_no_user_is_a_picture_too(impact: ImpactDocument) -> None:
    assert texts(check_picture(draw_impact(replace(impact, results=[])))) == ["cents"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_in_a_tree_and_on_a_way(impact: ImpactDocument, way: PathDocument, text: str) -> None:
    user = replace(impact.results[0], entity=named(impact.results[0].entity, text))
    hostile_impact = replace(impact, results=[user])
    assert len(titles(check_picture(draw_impact(hostile_impact, lambda one: f"/{one.path}")))) == 2
    hostile_way = replace(way, steps=[replace(way.steps[0], used=named(way.steps[0].used, text))])
    assert len(titles(check_picture(draw_path(hostile_way, lambda one: f"/{one.path}")))) == 2
    for diagram in (impact_mermaid(hostile_impact), path_mermaid(hostile_way)):
        assert "<" not in diagram
        assert diagram.count("\n") == len(diagram.splitlines())


def test_a_way_says_each_use(world: World, way: PathDocument) -> None:
    picture = draw_path(way, lambda one: f"/e/{one.ref}")
    root = check_picture(picture)
    assert (picture.name, picture.title) == ("path-from-bill-to-cents", "How bill comes to use cents")
    assert picture.description == "2 uses; bill calls total at shop.py:10; total calls cents at shop.py:6"
    assert texts(root, "detail") == ["calls · shop.py:10", "calls · shop.py:6"]
    assert texts(root, "name") == ["bill", "total", "cents"]
    assert links(root) == [f"/e/{world.mark(name)}" for name in ("bill", "total", "cents")]
    tops = [box[1] for box in boxes(root)]
    assert tops == sorted(tops)
    assert overlapping(boxes(root)) == []


def test_a_long_way(way: PathDocument) -> None:
    root = check_picture(draw_path(replace(way, steps=way.steps * 1500)))
    assert len(boxes(root)) == 3001


def test_no_way_is_a_picture_too(way: PathDocument) -> None:
    root = check_picture(draw_path(replace(way, steps=[])))
    assert texts(root, "name") == ["bill", "cents"]
    assert "no use leads there, as far as is known" in texts(root)
