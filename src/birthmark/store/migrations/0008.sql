-- References are kept with the outlines that they are in, and once more by their names. Those that were rows of `edges` are
-- not taken over: the extractor is another one since, so that all files are read again.

CREATE TABLE reference_names (
    name         TEXT NOT NULL,     -- of references, or what an import or an argument is called instead
    version      INTEGER NOT NULL,
    n_references INTEGER NOT NULL,  -- that have this name themselves
    n_calls      INTEGER NOT NULL,  -- among them
    packed       BLOB NOT NULL,     -- they and those of which it is the alias, see extraction/codec.py
    PRIMARY KEY (name, version)
) WITHOUT ROWID;

DROP VIEW mentions;
DROP TABLE edges;
