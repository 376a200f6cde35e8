"""The table of all pages."""

from __future__ import annotations

from functools import partial

from birthmark.app.answers.neighbours import USES
from birthmark.questions.notes import DeleteNote, EditNote, KeepNote, WriteNote
from birthmark.surfaces.arguments import Param
from birthmark.surfaces.web import links
from birthmark.surfaces.web.page import PageRoute
from birthmark.surfaces.web.pages import scans, subscriptions
from birthmark.surfaces.web.pages.diff import show_diff
from birthmark.surfaces.web.pages.entity import show_entity, show_file, show_life
from birthmark.surfaces.web.pages.graph import show_graph, show_impact, show_path, show_tests, show_users
from birthmark.surfaces.web.pages.overview import (
    COLOURINGS,
    SIZES,
    show_hotspots,
    show_modules,
    show_overview,
    show_search,
)
from birthmark.surfaces.web.pages.subscriptions import change_note, show_notes
from birthmark.vocabulary import DeliveryState

_REF = Param("ref", "What the page is about: any REF.", True, location="path")
_AT = Param("at", "A revision.")
_EVERYWHERE = Param("everywhere", "Whether all repositories of the database are asked.", choices=("true",))
_OFFSET = Param("offset", "Rows to skip.", bounds=(0, 10**12), default=0)
_ID = Param("id", "The id of a subscription.", True, location="path")
_MESSAGE = Param("message", "The id of a message.", True, location="path")
_NUMBER = Param("number", "The number of a scan.", True, bounds=(1, 10**12), location="path")
_KNOWN = Param("known", "Whether there was a subscription to the same already.", choices=("true",))
_ACTION = Param("action", "What to do with it.", True, location="path", choices=tuple(subscriptions.ACTIONS))
_SCAN = Param("scan", "The number of the scan it is about.", bounds=(1, 10**12))
_UNTIL = Param("until", "`3d`, `12h`, `2w`, a date or a time.")
_IDS = Param("ids", "Of subscriptions, joined by commas; all if left out.")
_DOCS = Param("docs", "Whether REFs in Markdown files are checked.", choices=("true",))
_COSMETIC = Param("cosmetic", "Whether formatting, comments and documentation count.", choices=("true",))
_ACCEPTED = Param("accepted", "How many findings were accepted.", bounds=(0, 10**12))
_STATE = Param("state", "Only messages in this state.", choices=tuple(map(str, DeliveryState)))
_ONE = f"{links.SUBSCRIPTIONS}/{{id}}"

# What is compared, and how modules are related
_DIFF = (
    Param("base", "A revision, a date or a range; HEAD if left out."),
    Param("target", "A revision; the worktree if left out."),
    Param("change", "Only these changes, joined by commas."),
    Param("kind", "Only these kinds, joined by commas."),
    Param("language", "Only these languages, joined by commas."),
    Param("path", "Only these files, folders or patterns, joined by commas."),
    _OFFSET,
)
_TRUTH = ("true", "false")
_COUNT_TESTS = Param("tests", "Whether tests count.", choices=_TRUTH)
_GRAPH = (_REF, Param("uses", "Only these: calls, references, subclasses.", choices=tuple(USES)), _COUNT_TESTS)
_IMPACT = (_REF, Param("depth", "Uses that are gone along at most.", bounds=(1, 20), default=3), _COUNT_TESTS)
_MODULES = (
    Param("path", "Only what is in this folder."),
    Param("depth", "Folders down to so many levels.", bounds=(1, 100)),
    Param("files", "Whether each file is a module.", choices=_TRUTH),
    Param("all", "Whether tests, documentation and generated code count.", choices=_TRUTH),
)
_ENDS = (Param("start", "A REF: what uses the other."), Param("end", "A REF: what is used in the end."))
_OVERVIEW = (
    Param("folder", "A folder; the root if left out."),
    Param("colour", "What the colours of the treemap mean.", default="churn", choices=tuple(COLOURINGS)),
    Param("size", "What the sizes of its tiles mean.", default="bytes", choices=tuple(SIZES)),
)
_SEARCH = (
    Param("text", "What is searched for."),
    Param("kind", "Only definitions of this kind."),
    Param("language", "Only definitions in this language."),
    Param("path", "Only in these files or folders, joined by commas."),
    Param("limit", "Results at most.", bounds=(1, 1_000), default=30),
    _EVERYWHERE,
    _OFFSET,
)
_FILE = (
    Param("path", "A file.", True, location="path"),
    _AT,
    Param("line", "A line that is shown.", bounds=(1, 10**9)),
)
_HOTSPOTS = (
    Param("path", "Only in these files or folders, joined by commas."),
    Param("since", "Only changes after a date or a revision."),
    Param("all", "Whether tests, documentation and generated code count.", choices=("true", "false")),
    Param("limit", "Rows at most.", bounds=(1, 1_000), default=50),
    _OFFSET,
)

# Notes
_NOTE = Param("id", "The id of a note.", True, location="path")
_TEXT = Param("text", "What is to be known.", True)
_NEW_NOTE = (
    Param("ref", "What the note is about: any REF.", True),
    _TEXT,
    Param("team", "Whether it is for the team.", choices=_TRUTH),
)

PAGES = (
    PageRoute("/", show_overview, _OVERVIEW),
    PageRoute(links.SEARCH, show_search, _SEARCH),
    PageRoute(f"{links.FILE}/{{path:rest}}", show_file, _FILE),
    PageRoute(links.HOTSPOTS, show_hotspots, _HOTSPOTS),
    PageRoute(f"{links.ENTITY}/{{ref:rest}}", show_entity, (_REF, _AT)),
    PageRoute(f"{links.LIFE}/{{ref:rest}}", show_life, (_REF, _OFFSET)),
    PageRoute(links.DIFF, show_diff, _DIFF, waiting="Comparing the two revisions"),
    PageRoute(f"{links.GRAPH}/{{ref:rest}}", show_graph, _GRAPH, waiting="Looking for users"),
    PageRoute(f"{links.USERS}/{{ref:rest}}", show_users, (_REF, _EVERYWHERE, _OFFSET), waiting="Looking for users"),
    PageRoute(f"{links.IMPACT}/{{ref:rest}}", show_impact, _IMPACT, waiting="Resolving what uses what"),
    PageRoute(f"{links.TESTS}/{{ref:rest}}", show_tests, (_REF, _OFFSET), waiting="Looking for tests"),
    PageRoute(links.MODULES, show_modules, _MODULES, waiting="Resolving what uses what"),
    PageRoute(links.USE_PATH, show_path, _ENDS, waiting="Resolving what uses what"),
    # Subscriptions
    PageRoute(links.SUBSCRIPTIONS, subscriptions.list_subscriptions, (_OFFSET,)),
    PageRoute(links.SUBSCRIPTIONS, subscriptions.add_subscription, subscriptions.NEW_FIELDS, is_form=True),
    PageRoute(_ONE, subscriptions.show_subscription, (_ID, _KNOWN)),
    PageRoute(_ONE, subscriptions.change_subscription, (_ID, *subscriptions.FIELDS), is_form=True),
    PageRoute(f"{_ONE}/delete", subscriptions.confirm_deletion, (_ID,), is_for_writers=True),
    PageRoute(f"{_ONE}/delete", subscriptions.delete_subscription, (_ID,), is_form=True),
    PageRoute(f"{_ONE}/{{action}}", subscriptions.act_on_subscription, (_ID, _ACTION, _SCAN, _UNTIL), is_form=True),
    PageRoute(links.SCANS, scans.list_scans, (_OFFSET,)),
    PageRoute(links.SCANS, scans.start_scan, (_IDS, _DOCS, _COSMETIC), is_form=True),
    PageRoute(f"{links.SCANS}/{{number}}", scans.show_scan, (_NUMBER, _OFFSET, _ACCEPTED)),
    PageRoute(f"{links.SCANS}/{{number}}/accept", scans.accept_findings, (_NUMBER, _IDS), is_form=True),
    PageRoute(links.DELIVERIES, scans.list_deliveries, (_STATE, _OFFSET)),
    PageRoute(f"{links.DELIVERIES}/{{message}}/retry", scans.retry_delivery, (_MESSAGE,), is_form=True),
    # Notes
    PageRoute(links.NOTES, show_notes, (Param("stale", "Whether only stale ones.", choices=_TRUTH), _OFFSET)),
    PageRoute(links.NOTES, partial(change_note, WriteNote), _NEW_NOTE, is_form=True),
    PageRoute(f"{links.NOTES}/{{id}}/edit", partial(change_note, EditNote), (_NOTE, _TEXT), is_form=True),
    PageRoute(f"{links.NOTES}/{{id}}/keep", partial(change_note, KeepNote), (_NOTE,), is_form=True),
    PageRoute(f"{links.NOTES}/{{id}}/delete", partial(change_note, DeleteNote), (_NOTE,), is_form=True),
)
