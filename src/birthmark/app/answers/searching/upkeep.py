"""What makes answers fast, done before they are asked for: edges are resolved, texts made searchable."""

from __future__ import annotations

import os
from pathlib import Path

from birthmark.app.answers.searching.searchable_texts import make_searchable
from birthmark.app.workspace.refresh import refreshing
from birthmark.app.workspace.session import asking

_NICENESS = 10


def keep_up(folder: Path) -> None:
    """For the index as it is now; in a process of its own, which gives way to those that answer."""
    if os.nice(0) < _NICENESS:
        os.nice(_NICENESS)
    with refreshing(), asking(folder, refreshes=False) as session:
        make_searchable(session)
        assert session.network is not None
