"""Impact trees and paths of a small repository, and of names and numbers that no repository should have."""

from __future__ import annotations

import pytest

from birthmark.app.answers.uses.graph_nodes import GraphNode
from birthmark.app.answers.uses.impact import ImpactAnswer, ImpactQuery, find_impacted
from birthmark.app.answers.uses.use_paths import PathAnswer, find_path
from birthmark.surfaces.formats.pictures.impact_tree import draw_impact
from birthmark.surfaces.formats.pictures.mermaid import impact_mermaid, path_mermaid
from birthmark.surfaces.formats.pictures.use_path import draw_path
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
def impact(world: World) -> ImpactAnswer:
    with world.session() as session:
        return find_impacted(session, "cents", ImpactQuery())


@pytest.fixture(scope="module")
def way(world: World) -> PathAnswer:
    with world.session() as session:
        return find_path(session, "bill", "cents")


def named(node: GraphNode, name: str) -> GraphNode:
    assert node.entity is not None
    return node._replace(entity=node.entity._replace(qualified_name=name, kind=name), path=name)


def test_an_impact_tree(world: World, impact: ImpactAnswer) -> None:
    picture = draw_impact(impact, lambda one: f"/e/{one.ref}")
    root = check_picture(picture)
    assert (picture.name, picture.title) == ("impact-of-cents", "What may break when cents is changed")
    assert picture.description.startswith("3 users; total uses cents at shop.py:6; ")
    assert sorted(texts(root, "name")) == ["bill", "cents", "test_total", "total"]
    assert links(root)[:2] == [f"/e/{world.mark('cents')}", f"/e/{world.mark('total')}"]
    assert "test test_total uses total at test_shop.py:5" in titles(root)
    assert overlapping(boxes(root)) == []
    assert links(check_picture(draw_impact(impact))) == []


def test_unsure_uses_are_dashed(impact: ImpactAnswer) -> None:
    user = impact.users[0]
    unsure = impact._replace(users=[user._replace(step=user.step._replace(resolution=Resolution.NAME))])
    root = check_picture(draw_impact(unsure))
    assert [one.get("class") for one in root.iter(f"{SVG}path")] == ["line unsure"]


def test_thousands_of_users_do_not_overlap(impact: ImpactAnswer) -> None:
    first = impact.users[0]
    many = [first._replace(node=first.node._replace(node=-number)) for number in range(3000)]
    root = check_picture(draw_impact(impact._replace(users=many)))
    assert len(boxes(root)) == 3001
    assert overlapping(boxes(root)) == []
    assert (root.findtext(f"{SVG}desc") or "").endswith("and 2,960 other uses")


def test_no_user_is_a_picture_too(impact: ImpactAnswer) -> None:
    assert texts(check_picture(draw_impact(impact._replace(users=[])))) == ["cents"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_in_a_tree_and_on_a_way(impact: ImpactAnswer, way: PathAnswer, text: str) -> None:
    user = impact.users[0]._replace(node=named(impact.users[0].node, text))
    assert len(titles(check_picture(draw_impact(impact._replace(users=[user]), lambda one: f"/{one.path}")))) == 2
    step = way.steps[0]._replace(used=named(way.steps[0].used, text))
    assert len(titles(check_picture(draw_path(way._replace(steps=[step]), lambda one: f"/{one.path}")))) == 2
    for diagram in (impact_mermaid(impact._replace(users=[user])), path_mermaid(way._replace(steps=[step]))):
        assert "<" not in diagram
        assert diagram.count("\n") == len(diagram.splitlines())


def test_a_way_says_each_use(world: World, way: PathAnswer) -> None:
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


def test_a_long_way(way: PathAnswer) -> None:
    root = check_picture(draw_path(way._replace(steps=way.steps * 1500)))
    assert len(boxes(root)) == 3001


def test_no_way_is_a_picture_too(way: PathAnswer) -> None:
    root = check_picture(draw_path(way._replace(steps=[])))
    assert texts(root, "name") == ["bill", "cents"]
    assert "no use leads there, as far as is known" in texts(root)
