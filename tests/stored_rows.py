"""All that an index holds, to be compared with another one."""

from __future__ import annotations

from birthmark.store.port import Store


def rows_of(store: Store, worktree: str) -> dict[str, object]:
    """All that the port tells, without times, the state of files on disk and the numbers of extractions."""
    numbers = range(1, store.count_identities() + 1)
    (snapshot,) = store.snapshots()
    runs = store.runs(range(1, snapshot.run + 1))
    versions = store.versions_in(list(runs))
    outlines = dict(store.outlines({version.extraction for version in versions}))
    names = sorted({row[0] for row in store.names(snapshot.snapshot)})
    network = store.network(worktree)
    return {
        "runs": [(run.run, run.worktree == worktree, run.branch, run.revision) for run in runs.values()],
        "commits": store.commits(list(runs)),
        "bases": (store.chain_bases(), store.chain_ends(list(runs))),
        "identities": sorted(store.identities(numbers)),
        "keys": store.keys_of(numbers),
        "events": store.events_of(numbers),
        "candidates": store.candidates_of(numbers),
        "derivations": store.derivations_of(numbers),
        "versions": [version._replace(extraction=0) for version in versions],
        "outlines": [outlines.get(version.extraction) for version in versions],
        "states": [sorted(store.path_states(path), key=str) for path in sorted({one.path for one in versions})],
        "files": [file[:2] + file[6:] for _, file in sorted(store.files(snapshot.snapshot).items())],
        "counts": (store.counts(snapshot.snapshot), store.file_counts(snapshot.snapshot)),
        "summaries": store.summarize_files(snapshot.snapshot),
        "entities": list(store.all_entities(snapshot.snapshot)),
        "references": [store.named_references(number) for number in sorted(store.shown_versions())],
        "most called": store.most_called(snapshot.snapshot, 50),
        "names": [store.names_like(name[:-1], 20) for name in names],
        "texts": [[path for path, _, _ in store.files_with(snapshot.snapshot, [name])] for name in names],
        "postings": sorted(store.all_postings(network.network), key=str) if network else [],
    }
