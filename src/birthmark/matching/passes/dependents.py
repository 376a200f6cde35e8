"""What follows from the pairs there are: files and containers that became others, and what is in its place in them."""

from __future__ import annotations

from birthmark.matching.pairing_state import PairingState
from birthmark.matching.passes.containers import pair_containers
from birthmark.matching.passes.files import repair_files
from birthmark.matching.passes.same_place import pair_places


def pair_dependents(state: PairingState) -> None:
    """Until nothing new follows."""
    while state.n_followed != len(state.pairs) and not state.is_settled:
        state.n_followed = len(state.pairs)
        repair_files(state)
        pair_containers(state)
        pair_places(state)


def retry_in_place(state: PairingState) -> None:
    """What was looked for elsewhere and not found may have stayed where it was."""
    state.exchanged, state.taken = frozenset(), frozenset()
    state.files = {old: new for old, new in state.files.items() if old not in state.new.paths}
    state.n_followed = -1
