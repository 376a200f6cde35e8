"""Many NamedTuples at once are those that are made one by one."""

from __future__ import annotations

from birthmark.ledger.issue_keys import make_tuples
from birthmark.store.model import LedgerKey


def test_tuples_are_of_their_kind_with_all_fields() -> None:
    fields = [(1, "python:fn:f:__a_py", 7, 2), (3, "python:fn:g:__a_py", 8, 4)]
    made = list(make_tuples(LedgerKey, fields))
    assert made == [LedgerKey(*each) for each in fields]
    assert [key.text for key in made] == ["python:fn:f:__a_py:T7", "python:fn:g:__a_py:T8"]
