-- The tokens of persons, by their names: hashes, and what each may do.

CREATE TABLE tokens (
    id       TEXT PRIMARY KEY,
    document BLOB NOT NULL  -- JSON
) WITHOUT ROWID;
