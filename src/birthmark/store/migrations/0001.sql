CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

-- The cache. A file's extraction depends on nothing but its content, its language and the extractor.

CREATE TABLE extractions (
    extraction INTEGER PRIMARY KEY,
    content    BLOB NOT NULL,  -- git's id of the blob
    language   TEXT NOT NULL,
    extractor  TEXT NOT NULL,  -- what it was extracted with
    outline    BLOB,           -- entities, chunks and references, without a path; null when no longer kept
    source     BLOB,           -- the file's bytes
    nodes      BLOB,           -- all nodes, where full detail was asked for
    n_entities INTEGER NOT NULL,
    n_nodes    INTEGER NOT NULL,
    n_chunks   INTEGER NOT NULL,  -- -1: the outline is a sketch, with entities only
    n_edges    INTEGER NOT NULL,
    notes      BLOB NOT NULL,  -- collisions and problems, msgpack
    UNIQUE (content, language, extractor)
);

-- The ledger: nothing is ever deleted from it.

CREATE TABLE paths (
    path_id INTEGER PRIMARY KEY,
    path    TEXT NOT NULL UNIQUE
);

CREATE TABLE runs (
    run      INTEGER PRIMARY KEY,
    worktree TEXT NOT NULL,  -- empty for a commit that was replayed; its time is the author's
    branch   TEXT,
    revision TEXT,
    at       INTEGER NOT NULL
);

CREATE TABLE identities (
    identity   INTEGER PRIMARY KEY,
    mark       TEXT NOT NULL,
    key        INTEGER NOT NULL,  -- at birth
    run        INTEGER NOT NULL,
    path_id    INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL
);

CREATE TABLE keys (
    key           INTEGER PRIMARY KEY,
    semantic_path TEXT NOT NULL,
    birth         INTEGER NOT NULL,
    identity      INTEGER NOT NULL
);

CREATE TABLE events (
    event          INTEGER PRIMARY KEY,
    identity       INTEGER NOT NULL,
    run            INTEGER NOT NULL,
    change         TEXT NOT NULL,  -- born only where there were candidates; else the identity's own row tells it
    path_id        INTEGER NOT NULL,
    qualified_name TEXT NOT NULL,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    content        TEXT NOT NULL,
    evidence       TEXT,
    confidence     TEXT
);

CREATE TABLE candidates (
    old_identity INTEGER NOT NULL,
    new_identity INTEGER NOT NULL,
    run          INTEGER NOT NULL,
    PRIMARY KEY (old_identity, new_identity)
) WITHOUT ROWID;

CREATE TABLE versions (
    version    INTEGER PRIMARY KEY,
    path_id    INTEGER NOT NULL,
    extraction INTEGER NOT NULL,
    run        INTEGER NOT NULL,
    identities BLOB NOT NULL  -- of the extraction's entities in their order, msgpack
);

-- The snapshots: what each worktree holds, by the branch it is on.

CREATE TABLE snapshots (
    snapshot  INTEGER PRIMARY KEY,
    worktree  TEXT NOT NULL,
    branch    TEXT NOT NULL,
    run       INTEGER NOT NULL,  -- the last
    extractor TEXT NOT NULL,
    UNIQUE (worktree, branch)
);

CREATE TABLE files (
    snapshot  INTEGER NOT NULL,
    path_id   INTEGER NOT NULL,
    os_path   BLOB,     -- where it is not the path in UTF-8
    size      INTEGER NOT NULL,
    mtime_ns  INTEGER NOT NULL,
    ctime_ns  INTEGER NOT NULL,
    inode     INTEGER NOT NULL,
    attribute TEXT,     -- the language that .gitattributes names
    content   BLOB NOT NULL,
    language  TEXT,     -- null: none of ours
    version   INTEGER,  -- null: nothing is known of it
    problem   TEXT,     -- why the version is not that of the content
    PRIMARY KEY (snapshot, path_id)
) WITHOUT ROWID;

CREATE TABLE entities (
    version        INTEGER NOT NULL,
    ordinal        INTEGER NOT NULL,
    identity       INTEGER NOT NULL,
    key            INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    name           TEXT NOT NULL,
    qualified_name TEXT NOT NULL,
    content_hash   TEXT NOT NULL,
    start_line     INTEGER NOT NULL,
    end_line       INTEGER NOT NULL,
    PRIMARY KEY (version, ordinal)
) WITHOUT ROWID;

CREATE TABLE edges (
    version  INTEGER NOT NULL,
    ordinal  INTEGER NOT NULL,
    edge     TEXT NOT NULL,     -- calls, imports, inherits, implements
    name     TEXT NOT NULL,     -- of the far end, which is looked up when asked for
    receiver TEXT,
    alias    TEXT,
    entity   INTEGER NOT NULL,  -- the near end: an ordinal, -1 for the file
    line     INTEGER NOT NULL,
    PRIMARY KEY (version, ordinal)
) WITHOUT ROWID;

-- Every entity of every snapshot, with its names.

CREATE VIEW present AS
SELECT snapshot, path, entities.identity, mark, semantic_path, birth,
       substr(semantic_path, 1, instr(semantic_path, ':') - 1) AS language,
       kind, name, qualified_name, content_hash, entities.start_line, entities.end_line, version, ordinal
FROM files JOIN entities USING (version) JOIN paths USING (path_id) JOIN identities USING (identity)
     JOIN keys ON keys.key = entities.key;

-- Every reference of every snapshot, with the entity in which it stands.

CREATE VIEW mentions AS
SELECT snapshot, path, files.language, edges.edge, edges.name, edges.receiver, edges.alias, edges.entity, edges.line,
       identity, kind, entities.name AS entity_name, entities.qualified_name, entities.start_line, entities.end_line,
       edges.version, edges.ordinal
FROM edges JOIN files USING (version) JOIN paths USING (path_id)
     LEFT JOIN entities ON entities.version = edges.version AND entities.ordinal = edges.entity;
