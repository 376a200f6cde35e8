-- What people wish to be told, what scans found, and what is still to be delivered.

CREATE TABLE subscriptions (
    id       TEXT PRIMARY KEY,
    document BLOB NOT NULL  -- JSON
) WITHOUT ROWID;

-- Files that were accepted as they stood in the worktree, where git has no such object.

CREATE TABLE contents (
    content_id TEXT PRIMARY KEY,
    content    BLOB NOT NULL  -- compressed
) WITHOUT ROWID;

CREATE TABLE scans (
    scan     INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    base     TEXT NOT NULL,
    target   TEXT NOT NULL,
    triggers INTEGER NOT NULL,
    document BLOB NOT NULL  -- compressed JSON, all that was found; empty when it is no longer kept
);

CREATE TABLE outbox (
    message    TEXT PRIMARY KEY,  -- what a receiver knows it by, the same at every attempt
    scan       INTEGER NOT NULL,
    sink       TEXT NOT NULL,     -- the name of the webhook or address in the settings
    body       BLOB NOT NULL,
    state      TEXT NOT NULL,     -- pending | delivered | dead
    attempts   INTEGER NOT NULL,
    next_at    REAL NOT NULL,     -- Unix seconds
    error      TEXT,              -- of the last attempt
    created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX outbox_due ON outbox (state, next_at);
