"""A repository for Python: it answers what the commands answer, stays up to date, and is closed when it is."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from birthmark import BirthmarkError, NotFoundError, Repository, SubscriptionRequest
from example_shop import make_shop
from running import birthmark, document
from worlds import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_shop(tmp_path / "shop")


def plain(answer: Any) -> Any:
    """As JSON; when the worktree was looked at is known in Python alone."""
    return json.loads(re.sub(rb'"checked_at":[\d.]+', b'"checked_at":null', msgspec.json.encode(answer)))


COMMANDS: list[tuple[Callable[[Repository], Any], str]] = [
    (lambda repository: repository.resolve("Cart.total"), "resolve Cart.total"),
    (lambda repository: repository.resolve("src/shop.py:7", at="HEAD~1"), "resolve src/shop.py:7 --at HEAD~1"),
    (lambda repository: repository.entity("net"), "show net"),
    (lambda repository: repository.users("net", uses=["calls"]), "users net --calls"),
    (lambda repository: repository.history("Cart.total", patch=True), "history Cart.total -p"),
    (lambda repository: repository.history("Cart.total", until="HEAD~1"), "history Cart.total --until HEAD~1"),
    (lambda repository: repository.diff(), "diff"),
    (lambda repository: repository.diff("HEAD~1..HEAD", kinds=["fn"]), "diff HEAD~1..HEAD --kind fn"),
    (lambda repository: repository.diff("HEAD~1", paths=["src/tax.py"]), "diff HEAD~1 --path src/tax.py"),
    (lambda repository: repository.search("tota", kinds=["method"]), "search tota --kind method"),
    (lambda repository: repository.chunks(since="HEAD~1", kept=True), "chunks --since HEAD~1 --kept"),
    (lambda repository: list(repository.chunks("src", text=False)), "chunks src --no-text"),
    (lambda repository: list(repository.entities("src/tax.py")), "entities src/tax.py"),
    (lambda repository: repository.status(), "status"),
    (lambda repository: list(repository.subscriptions), "subscriptions"),
]


@pytest.mark.parametrize(("ask", "command"), COMMANDS, ids=[command for _, command in COMMANDS])
def test_answers_are_those_of_the_commands(world: World, ask: Callable[[Repository], Any], command: str) -> None:
    with Repository.open(world.root) as repository:
        assert plain(ask(repository)) == document(*command.split(), cwd=world.root)


def test_refs_and_paths_are_relative_to_the_folder(world: World) -> None:
    with Repository.open(world.root / "src") as repository:
        assert repository.root == world.root
        assert repository.entity("tax.py::net").path == "src/tax.py"
        assert {entity.path for entity in repository.entities("tax.py")} == {"src/tax.py"}
        assert {chunk.file for chunk in repository.chunks(world.root / "src/tax.py")} == {"src/tax.py"}
        assert {one.after and one.after.file for one in repository.chunks("tax.py", since="HEAD~1").changes} == {
            "src/tax.py"
        }


def test_a_question_brings_the_index_up_to_date(world: World) -> None:
    world.replace("src/tax.py", "net", "gross")
    with Repository.open(world.root, refresh=False) as repository:
        known = repository.entity("net")
        assert (known.name, known.freshness.pending) == ("net", ["src/tax.py"])
        assert [entity.name for entity in repository.entities("src/tax.py")] == ["net"]
    with Repository.open(world.root) as repository:
        assert [entity.name for entity in repository.entities("src/tax.py")] == ["gross"]
        assert repository.resolve(known.mark).entity == repository.resolve("gross").entity


def test_what_another_process_did_is_seen(world: World) -> None:
    """What is open is used again only while the index is the same."""
    with Repository.open(world.root, refresh=False) as repository:
        for name in ("gross", "tariff", "duty"):
            world.write("src/tax.py", f"def {name}(price):\n    return price\n")
            world.index()
            assert [repository.entity(name).name for _ in range(2)] == [name, name]
            assert str(repository.resolve("net").status) != "present"
    with Repository.open(world.root) as repository:
        first = repository.entity("duty")
        world.commit()
        second = repository.entity("duty")
        assert first.freshness.head != second.freshness.head == second.freshness.indexed_revision


def test_it_is_used_without_with(world: World) -> None:
    assert Repository.open(world.root).entity("net").name == "net"


def test_lists_are_lazy(world: World) -> None:
    with Repository.open(world.root) as repository:
        world.write("src/later.py", "def later(): ...\n")
        listed = repository.entities()
        world.write("src/last.py", "def last(): ...\n")
        assert next(listed).name == "last"
    assert list(listed) == []


CLOSED: list[Callable[[Repository], object]] = [
    lambda repository: repository.index(),
    lambda repository: repository.status(),
    lambda repository: repository.entity("net"),
    lambda repository: repository.chunks(),
    lambda repository: repository.diff(),
    lambda repository: repository.subscriptions,
]


@pytest.mark.parametrize("ask", CLOSED)
def test_nothing_is_answered_after_it_is_closed(world: World, ask: Callable[[Repository], object]) -> None:
    with Repository.open(world.root) as repository:
        pass
    with pytest.raises(BirthmarkError, match="is closed; open it again"):
        ask(repository)


def test_errors_say_what_to_do(world: World, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BirthmarkError, match="no such folder; name the root"):
        Repository.open(tmp_path / "nowhere")
    with pytest.raises(BirthmarkError, match="there is no index; run `birthmark index` first"):
        Repository.open(tmp_path / "empty").entity("net")
    repository = Repository.open(world.root)
    with pytest.raises(NotFoundError, match="nothing has that name; did you mean"):
        repository.entity("nett")
    with pytest.raises(BirthmarkError, match="uses: unknown value 'called'; choose from calls, references, subclasses"):
        repository.users("net", uses=["called"])  # type: ignore[list-item]


def test_asynchronous_callers_ask_in_threads(world: World) -> None:
    """Several at once, of one repository, while it is brought up to date."""
    world.replace("src/tax.py", "0.2", "0.3")

    async def ask_all(repository: Repository) -> Iterable[str]:
        entities, listed, resolved = await asyncio.gather(
            asyncio.gather(*(asyncio.to_thread(repository.entity, ref) for ref in ["net", "Cart", "Cart.add"] * 3)),
            asyncio.to_thread(list, repository.entities()),
            asyncio.to_thread(repository.resolve, "Cart.total"),
        )
        assert resolved.entity is not None
        return [*(entity.name for entity in entities), *(entity.name for entity in listed), resolved.entity.name]

    with Repository.open(world.root) as repository:
        found = asyncio.run(ask_all(repository))
        assert "0.3" in repository.entity("net").source
    assert found == ["net", "Cart", "add"] * 3 + ["Cart", "limit", "add", "total", "net", "total"]


def test_subscriptions_follow_what_they_are_about(world: World) -> None:
    subscriptions = Repository.open(world.root).subscriptions
    subscribed = subscriptions.add(SubscriptionRequest(ref="net", label="prices"))
    assert (subscribed.created, subscriptions.add(SubscriptionRequest(ref="net", label="prices")).created) == (
        True,
        False,
    )
    world.replace("src/tax.py", "0.2", "0.3")
    (trigger,) = subscriptions.scan().triggers
    assert trigger.subscription_id == subscribed.id
    assert subscriptions.apply().applied[0].subscription_id == subscribed.id
    assert subscriptions.scan().triggers == []
    assert subscriptions.act(subscribed.id, "deactivate").active is False
    assert subscriptions[subscribed.id].label == "prices"
    assert birthmark("subscriptions", "--all", cwd=world.root).stdout.count("prices") == len(subscriptions) == 1
