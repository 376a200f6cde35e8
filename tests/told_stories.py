"""The story of a definition as each surface tells it, brought to one form: a line for each event, the newest first.

`differences` compares all surfaces with `/v1/resolve`. A surface that leaves something out is compared in what it
tells: agents get no changes of a body from `resolve`, a hover has the last five events, a lens counts them, and a
blame has the first and the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types
from web_pages import shown, site_of

from asgi import Client, Reply
from birthmark.app.answers.editor import find_marked
from birthmark.app.histories.histories import find_subject
from birthmark.app.histories.subjects import start_of
from birthmark.app.workspace.session import Session, open_session
from birthmark.history.follow import follow_lineage, shared_walk
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.lsp.overlays import resolve_lens, write_life
from birthmark.surfaces.lsp.query import EditorQuery
from birthmark.surfaces.mcp.tools import list_tools
from running import birthmark
from walked_and_replayed import Event, Events, Place, cut_at_unknown_return, event_of_step

TOKEN = "t" * 43
TOOLS = {tool.name: tool for tool in list_tools()}
COSMETIC = {"documentation change", "format change"}
NO_CODE = COSMETIC | {"moved", "container change"}
NOT_COMMITTED = "not committed"
_PAGE_EVENT = re.compile(r'<li class="(\w[\w ]*)">.*?</li>', re.DOTALL)
_PAGE_STEP = re.compile(r'<li id="e(\w{12})">.*?</div>', re.DOTALL)
_CHIP = re.compile(r'<span class="chip">([^<]*)</span>')
_HOVER_EVENT = re.compile(rf"^- \S+ `?(\w{{12}}|{NOT_COMMITTED})\b", re.MULTILINE)


def check_stories(root: Path) -> None:
    """All definitions that the ledger knows, also those that are gone."""
    with open_session(root) as session:
        surfaces = Surfaces(session)
        for one in session.store.identities(range(1, session.store.count_identities() + 1)):
            assert surfaces.differences(one.mark) == {}, one.mark


class Surfaces:
    """All surfaces of one repository that has an index."""

    def __init__(self, session: Session) -> None:
        self.session, root = session, session.workspace.root
        headers = [("Host", "127.0.0.1:80"), ("Authorization", f"Bearer {TOKEN}")]
        self.http = Client(make_app(root, TOKEN.encode(), Hosts.of(80)), headers)
        self.site = site_of(root)
        self.query = EditorQuery(root, "", {}, "utf-16", ())

    def differences(self, mark: str) -> dict[str, tuple[object, object]]:
        """Return what surfaces tell otherwise than `resolve`, and what they should tell."""
        resolved = self._http("resolve", mark).document
        events = resolved["events"][::-1]
        committed = [one for one in events if one["by_commit"]]
        pairs = {**self._of_life(mark, events), **self._of_history(mark, committed)}
        if resolved["status"] == "present":
            pairs |= self._of_editor(mark, events)
        return {surface: pair for surface, pair in pairs.items() if pair[0] != pair[1]}

    def _of_life(self, mark: str, events: list[Any]) -> dict[str, tuple[object, object]]:
        """With what is not committed."""
        brief = self._tool("resolve", mark)["events"]
        page = shown(self.site.send("GET", f"/entity/{mark}"))
        text = birthmark("resolve", mark, cwd=self.session.workspace.root).stdout
        bold = [one for one in events if one["change"] != "modified"]
        return {
            "resolve of agents": (
                [(one.get("commit"), one["change"]) for one in brief],
                [(short_of(one), one["change"]) for one in bold],
            ),
            "page of the entity": (list(_of_page(page)), [(tuple(one["changes"]), short_of(one)) for one in events]),
            "text of resolve": (_commits_in(text), [short_of(one) for one in events[::-1] if not _is_cosmetic(one)]),
        }

    def _of_history(self, mark: str, committed: list[Any]) -> dict[str, tuple[object, object]]:
        """Of commits alone."""
        reply = self._http("history", mark, status=None)
        if reply.status != 200:
            message = reply.document["error"]["message"]
            return {"history": ((message.split(" is ")[-1], committed), ("not committed yet; it has no history", []))}
        told, history = [(one["revision"], event_of(one)) for one in committed], reply.document
        steps = [(one["commit"][:12], tuple(one["changes"])) for one in history["events"]]
        agents = [(one["commit"], tuple(one["changes"])) for one in self._tool("history", mark)["events"]]
        page = shown(self.site.send("GET", f"/life/{mark}"))
        text = birthmark("history", mark, "--all", cwd=self.session.workspace.root).stdout
        pairs: dict[str, tuple[object, object]] = {
            "history": ([(one["commit"], event_of(one)) for one in history["events"]], told),
            "walked history": cut_at_unknown_return(self._walked(mark), dict(told)),
            "history of agents": (agents, steps),
            "page of the life": (list(_of_life_page(page)), steps),
            "text of history": (_commits_in(text), [commit for commit, _ in steps]),
        }
        return pairs | self._of_blame(history["entity"], history["events"])

    def _of_blame(self, entity: Any, events: list[Any]) -> dict[str, tuple[object, object]]:
        if entity["commit"] != self.session.repository.git.resolve("HEAD"):
            return {}
        reply = self.http.get("/v1/blame", path=entity["path"])
        found = [one for one in reply.document["items"] if one["entity"] == entity]
        assert len(found) == 1, (entity, reply.document)
        last = next(one for one in events if not set(one["changes"]) <= NO_CODE)
        ends = found[0]["last"], found[0]["introduced"]
        return {"blame": ([one["commit"] for one in ends], [last["commit"], events[-1]["commit"]])}

    def _of_editor(self, mark: str, events: list[Any]) -> dict[str, tuple[object, object]]:
        indexed = find_marked(self.session, mark)
        assert indexed is not None
        lens = types.CodeLens(types.Range(types.Position(0, 0), types.Position(0, 0)), data={"uri": "", "mark": mark})
        command = resolve_lens(self.query, self.session, lens).command
        assert command is not None
        hovered = write_life(self.session, indexed)
        committed = [one for one in events if one["by_commit"]]
        n_changes = re.search(r"(\d+) changes?", command.title)
        return {
            "lens": (
                (int(n_changes[1]) if n_changes is not None else 0, NOT_COMMITTED in command.title),
                (len([one for one in committed if _is_change(one)]), len(committed) < len(events)),
            ),
            "hover": (_HOVER_EVENT.findall(hovered), [short_of(one) or NOT_COMMITTED for one in events]),
        }

    def _walked(self, mark: str) -> Events:
        """Through git, without what a replay has written down."""
        repository = self.session.repository
        subject, walk = find_subject(repository, mark), shared_walk(repository)
        steps = {step.commit: event_of_step(step) for step in follow_lineage(walk, start_of(walk, subject))}
        if subject.deletion is None:
            return steps
        where = subject.outlined.location
        place = where.path, where.qualified_name, where.start_line, where.end_line
        return {subject.deletion.id: Event(("deleted",), place, place), **steps}

    def _http(self, route: str, mark: str, status: int | None = 200) -> Reply:
        reply = self.http.get(f"/v1/{route}", ref=mark)
        assert status in (None, reply.status), reply.body
        return reply

    def _tool(self, name: str, mark: str) -> Any:
        tool = TOOLS[name]
        return tool.answer(self.session, tool.read_arguments({"ref": mark, "tokens": 100_000}))


def short_of(event: dict[str, Any]) -> str | None:
    return event["revision"][:12] if event["by_commit"] else None


def event_of(event: dict[str, Any]) -> Event:
    after = event["before"] if event["after"] is None else event["after"]
    return Event(tuple(event["changes"]), _place(event["before"]), _place(after))


def _place(where: dict[str, Any] | None) -> Place:
    return None if where is None else (where["path"], where["qualified_name"], where["start_line"], where["end_line"])


def _is_cosmetic(event: dict[str, Any]) -> bool:
    """Return whether it is one of the steps that the text of `resolve` counts and does not list."""
    return bool(event["changes"]) and set(event["changes"]) <= COSMETIC


def _is_change(event: dict[str, Any]) -> bool:
    return event["change"] not in ("born", "moved") and not set(event["changes"]) <= COSMETIC


def _of_page(html: str) -> Iterator[tuple[tuple[str, ...], str | None]]:
    for row in _PAGE_EVENT.finditer(html):
        commit = re.search(r"target=(\w{12})", row[0])
        assert commit is not None or NOT_COMMITTED in row[0], row[0]
        yield tuple(_CHIP.findall(row[0])), commit[1] if commit is not None else None


def _of_life_page(html: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for row in _PAGE_STEP.finditer(html):
        yield row[1], tuple(chip for chip in _CHIP.findall(row[0]) if "confidence, " not in chip)


def _commits_in(text: str) -> list[str | None]:
    """The commits at the start of lines, or after the day; None for what is not committed."""
    found = re.findall(rf"^ *(?:[\d-]{{10}}(?: [\d:]{{5}})? +)?([0-9a-f]{{12}}|{NOT_COMMITTED})\b", text, re.MULTILINE)
    return [None if one == NOT_COMMITTED else one for one in found]
