"""The table of all questions, by the names that commands, routes and tools have for them."""

from __future__ import annotations

from birthmark.questions import (
    changes,
    definitions,
    history,
    impact,
    listing,
    notes,
    structure,
    tests,
    users,
    whole_graph,
)
from birthmark.questions.question import Question

QUESTIONS: dict[str, type[Question]] = {
    "status": listing.Status,
    "entities": listing.Entities,
    "nodes": listing.Nodes,
    "chunks": listing.Chunks,
    "file": listing.SourceFile,
    "tree": listing.Tree,
    "latest": listing.Latest,
    "search": definitions.Search,
    "show": definitions.Show,
    "resolve": definitions.Resolve,
    "context": definitions.Context,
    "clones": definitions.Clones,
    "diff": changes.Diff,
    "review": changes.Review,
    "history": history.History,
    "blame": history.Blame,
    "commit": history.CommitMessage,
    "revisions": history.Revisions,
    "users": users.Users,
    "callers": users.Callers,
    "callees": users.Callees,
    "impact": impact.Impact,
    "path": impact.UsePath,
    "tests": tests.ReachingTests,
    "affected": tests.AffectedTests,
    "cycles": whole_graph.Cycles,
    "components": whole_graph.Components,
    "rank": whole_graph.Rank,
    "unused": whole_graph.Unused,
    "modules": structure.Modules,
    "hotspots": structure.Hotspots,
    "notes": notes.Notes,
}
