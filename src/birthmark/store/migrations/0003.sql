-- Derivations: code of one identity, the source, that a run found in another one, the derivative.

CREATE TABLE derivations (
    source       INTEGER NOT NULL,
    derivative   INTEGER NOT NULL,
    run          INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    share        REAL NOT NULL,  -- of the derivative's tokens that come from the source
    source_share REAL NOT NULL,  -- of the source's tokens that are in the derivative
    evidence     TEXT NOT NULL,
    confidence   TEXT NOT NULL,
    PRIMARY KEY (source, derivative, run)
) WITHOUT ROWID;
