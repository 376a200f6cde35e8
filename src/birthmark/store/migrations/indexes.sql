-- Left out while a first index is loaded, which is faster that way.

CREATE UNIQUE INDEX IF NOT EXISTS identities_by_mark ON identities (mark);
CREATE UNIQUE INDEX IF NOT EXISTS keys_by_path ON keys (semantic_path, birth);
CREATE INDEX IF NOT EXISTS keys_by_identity ON keys (identity);
CREATE INDEX IF NOT EXISTS keys_by_name ON keys (simple_name);
CREATE INDEX IF NOT EXISTS short_names ON keys (simple_name) WHERE length(simple_name) < 10;
CREATE INDEX IF NOT EXISTS events_by_identity ON events (identity);
CREATE INDEX IF NOT EXISTS events_by_content ON events (content) WHERE change = 'deleted';
CREATE INDEX IF NOT EXISTS deletions_by_path ON events (path_id) WHERE change = 'deleted';
CREATE INDEX IF NOT EXISTS candidates_by_new ON candidates (new_identity);
CREATE INDEX IF NOT EXISTS derivations_by_derivative ON derivations (derivative);
CREATE INDEX IF NOT EXISTS versions_by_path ON versions (path_id, extraction);
CREATE INDEX IF NOT EXISTS versions_by_extraction ON versions (extraction);
CREATE INDEX IF NOT EXISTS files_by_version ON files (version);
CREATE INDEX IF NOT EXISTS entities_by_identity ON entities (identity);
CREATE INDEX IF NOT EXISTS entities_by_name ON entities (name);
CREATE INDEX IF NOT EXISTS runs_by_revision ON runs (revision) WHERE worktree = '';
CREATE INDEX IF NOT EXISTS first_commits ON commits (run) WHERE position = 0;
CREATE INDEX IF NOT EXISTS reference_names_by_version ON reference_names (version);
