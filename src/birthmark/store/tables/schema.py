"""The tables of an index and their columns; migrations make them."""

from __future__ import annotations

TABLES = {
    "meta": "name value",
    "extractions": (
        "extraction content language extractor outline source nodes n_entities n_nodes n_chunks n_edges notes"
    ),
    "paths": "path_id path",
    "runs": "run worktree branch revision at",
    "identities": "identity mark key run path_id start_line end_line",
    "keys": "key semantic_path birth identity",
    "events": "event identity run change path_id qualified_name start_line end_line content evidence confidence",
    "candidates": "old_identity new_identity run",
    "derivations": "source derivative run kind share source_share evidence confidence",
    "merges": "identity successor run",
    "versions": "version path_id extraction run identities",
    "commits": "run chain position first_parent other_parents",
    "removed_files": "path_id run is_read",
    "version_links": "version links",
    "snapshots": "snapshot worktree branch run extractor",
    "files": "snapshot path_id os_path size mtime_ns ctime_ns inode attribute content language version problem",
    "entities": (
        "version ordinal identity key kind name qualified_name content_hash start_line end_line is_outer body_hash"
    ),
    "reference_names": "name version n_references n_calls packed",
    "networks": "network worktree maker generation",
    "resolved_files": "file network path version lookups provisions",
    "uses": "network file ordinal used user edge resolution line",
    "candidate_sets": "network identity name",
    "network_mentions": "network used file user edge resolution line",
    "packages": "package ecosystem name folder manifest",
    "dependencies": "package ecosystem name",
}
LEDGER = (
    *("paths", "runs", "identities", "keys", "events", "candidates", "derivations", "merges", "versions"),
    *("commits", "removed_files", "version_links"),
)
_EXTRACTION = (
    "extraction, content, language, extractor, NULL, NULL, NULL, n_entities, n_nodes, n_chunks, n_edges, notes"
)


def select_ledger(table: str) -> str:
    """What the ledger keeps of a table: of extractions that there were any, not their results."""
    columns = _EXTRACTION if table == "extractions" else columns_of(table)
    return f"SELECT {columns} FROM {table}"


def columns_of(table: str) -> str:
    return ", ".join(f'"{name}"' for name in TABLES[table].split())


def having(statement: str, column: str) -> str:
    """Only rows with one of the values of a JSON array, the statement's only parameter."""
    return f"{statement} WHERE {column} IN (SELECT value FROM json_each(?))"
