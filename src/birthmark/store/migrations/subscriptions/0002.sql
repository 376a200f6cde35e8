-- What was written down about identities.

CREATE TABLE notes (
    id       TEXT PRIMARY KEY,
    document BLOB NOT NULL  -- JSON
) WITHOUT ROWID;
