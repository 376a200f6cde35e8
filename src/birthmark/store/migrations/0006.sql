-- Edges between the definitions of a worktree, resolved. All of it can be made again from the rest.

CREATE TABLE networks (
    network    INTEGER PRIMARY KEY,
    worktree   TEXT NOT NULL UNIQUE,
    maker      TEXT NOT NULL,    -- what resolved it
    generation INTEGER NOT NULL  -- how often it was changed
);

CREATE TABLE resolved_files (
    file       INTEGER PRIMARY KEY,
    network    INTEGER NOT NULL,
    path       TEXT NOT NULL,
    version    INTEGER NOT NULL,
    lookups    BLOB NOT NULL,  -- numbers of what was looked up to resolve its references
    provisions BLOB NOT NULL,  -- digests of what others look up in it, msgpack
    UNIQUE (network, path)
);

-- A node is the identity of a definition, the path of a file, or the name of a set of candidates.

CREATE TABLE uses (
    network    INTEGER NOT NULL,
    file       INTEGER NOT NULL,
    ordinal    INTEGER NOT NULL,  -- of the reference
    used       NOT NULL,
    user       NOT NULL,
    edge       TEXT NOT NULL,
    resolution TEXT NOT NULL,
    line       INTEGER NOT NULL
);

CREATE INDEX uses_by_file ON uses (file);
CREATE INDEX uses_by_used ON uses (network, used);
CREATE INDEX uses_by_user ON uses (network, user);

CREATE TABLE candidate_sets (
    network  INTEGER NOT NULL,
    identity INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (network, identity, name)
) WITHOUT ROWID;
CREATE INDEX candidate_sets_by_name ON candidate_sets (network, name);
