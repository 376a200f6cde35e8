-- The repositories of a fleet. They are in databases that repositories share; here is none, and the tables are the same.

CREATE TABLE fleet_repositories (
    id       TEXT PRIMARY KEY,
    document BLOB NOT NULL  -- JSON
) WITHOUT ROWID;
