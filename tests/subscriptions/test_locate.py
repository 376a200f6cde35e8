"""Where a subscription is found again, when the old state is not the one in which it was accepted."""

from __future__ import annotations

from pathlib import Path

from scanning import QUIET, accept, describe, make, scan, subscribe, told

LOAD = "def load(path):\n    text = open(path).read()\n    return text.splitlines()\n"
SMALL = "def foo(x):\n    y = x + {}\n    return y * 2\n"


def test_what_was_accepted_is_found_though_the_base_has_another_of_that_name(tmp_path: Path) -> None:
    """The base has an older `foo`, which cannot be shown to be the one that has moved; what was accepted can."""
    world = make(tmp_path, {"a.py": SMALL.format(1) + "\n" + LOAD})
    subscribe(world, "a.py::foo")
    base = world.git("rev-parse", "HEAD")
    world.replace("a.py", "x + 1", "x + 2")
    scan(world)
    accept(world)
    world.write("a.py", LOAD)
    world.write("b.py", SMALL.format(2))
    assert told(scan(world, base)).moves == ("moved_cross_file",)


def test_many_who_point_at_one_thing_are_all_led_to_it(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": SMALL.format(1) + "\n" + LOAD})
    base = world.git("rev-parse", "HEAD")
    world.replace("a.py", "x + 1", "x + 2")
    ids = {subscribe(world, "a.py::foo").id for _ in range(3)}
    world.write("a.py", LOAD)
    world.write("b.py", SMALL.format(2))
    found = scan(world, base)
    assert {proposal.subscription_id for proposal in found.proposals} == ids
    assert {proposal.new_path for proposal in found.proposals} == {"b.py"}


def test_identical_namesakes_keep_their_own(tmp_path: Path) -> None:
    """Lines above shift both; the pairing knows which is which, the distance does not."""
    twin = "if {}:\n  def run():\n    return start() or stop()\n"
    world = make(tmp_path, {"a.py": twin.format("x") + twin.format("y")})
    subscribe(world, "a.py:5", entity=True)
    world.write("a.py", "# one\n# two\n# three\n" + world.read("a.py"))
    assert told(scan(world)).place == "a.py:8-9"
    world.commit()
    world.write("b.py", "X = 1\n")
    assert told(scan(world)).place == "a.py:8-9"


def test_a_value_is_no_decorator(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": "LIMIT = 10\n"})
    subscribe(world, "a.py::LIMIT", track_decorators=False)
    world.write("a.py", "LIMIT = 20\n")
    assert told(scan(world)).reasons == ("body_changed",)


def test_what_is_told_of_one_does_not_depend_on_others(tmp_path: Path) -> None:
    """Mere names are looked for in files that concern the one, whatever was read for another."""
    files = {
        "a.py": "class Door:\n    def open(self):\n        return self.hinge.turn()\n",
        "b.py": "class Tin:\n    def open(self):\n        return self.lid.lift()\n",
        "c.py": "def enter(door):\n    return door.knock()\n",
    }
    world = make(tmp_path, files)
    first = subscribe(world, "a.py::Door.open", users=True)
    world.write("c.py", "def enter(door):\n    return door.open()\n")
    alone = [describe(found) for found in scan(world).findings if found.subscription.id == first.id]
    subscribe(world, "b.py::Tin.open", users=True)
    subscribe(world, "b.py::Tin", include_members=True)
    together = [describe(found) for found in scan(world).findings if found.subscription.id == first.id]
    assert alone == together
    assert scan(world).findings == scan(world).findings


def test_a_scan_is_quiet_where_nothing_happened(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": LOAD})
    subscribe(world, "a.py::load")
    assert told(scan(world, "HEAD", "HEAD")) == QUIET
