"""What makes answers fast, done before they are asked for: edges are resolved, texts made searchable."""

from __future__ import annotations

import os
from pathlib import Path

from birthmark.app.answers.searching.searchable_texts import make_searchable
from birthmark.app.workspace.refresh import RefreshOptions, refreshing
from birthmark.app.workspace.session import asking

_NICENESS = 10


def keep_up(folder: Path) -> None:
    """In a process of its own, which gives way to those that answer."""
    if os.nice(0) < _NICENESS:
        os.nice(_NICENESS)
    prepare_answers(folder, RefreshOptions())


def prepare_answers(folder: Path, options: RefreshOptions) -> None:
    """For the index as it is now."""
    with refreshing(options), asking(folder, refreshes=False) as session, options.progress() as progress:
        make_searchable(session, progress)
        assert session.network is not None
