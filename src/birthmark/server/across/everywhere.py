"""Answers across all repositories of a database: the `Across` that the core asks for."""

from __future__ import annotations

from birthmark.server.across import copies, impact, searching, uses
from birthmark.server.across.other_repositories import OtherRepositories, open_elsewhere

__all__ = ["Everywhere", "ask_others", "open_elsewhere"]


class Everywhere(OtherRepositories):
    """The `Others` of a session."""

    add_users = uses.add_users
    add_callees = uses.add_callees
    add_impact = impact.add_impact
    add_copies = copies.add_copies
    add_descents = copies.add_descents
    find_page = searching.find_page_everywhere


ask_others = Everywhere
