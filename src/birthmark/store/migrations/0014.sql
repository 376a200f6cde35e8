-- Identities that turned out to be others: what was issued before a replay is a name of what the replay found.

CREATE TABLE merges (
    identity INTEGER PRIMARY KEY,
    successor     INTEGER NOT NULL,
    run      INTEGER NOT NULL
);
