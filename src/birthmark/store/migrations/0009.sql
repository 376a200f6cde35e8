-- The graph of the commits that were replayed, and what each did to the entities of its files, so that a history is
-- read without git. A chain is a line of first parents; its number is the run of its first commit.

CREATE TABLE commits (
    run           INTEGER PRIMARY KEY,
    chain         INTEGER NOT NULL,
    position      INTEGER NOT NULL,  -- in its chain
    first_parent  INTEGER,           -- a run
    other_parents BLOB               -- runs, msgpack; null where there are none
);

CREATE TABLE removed_files (
    path_id INTEGER NOT NULL,
    run     INTEGER NOT NULL,
    is_read INTEGER NOT NULL,  -- 0: the file is there, and could not be read
    PRIMARY KEY (path_id, run)
) WITHOUT ROWID;

CREATE TABLE version_links (
    version INTEGER PRIMARY KEY,
    links   BLOB NOT NULL  -- msgpack; an entity that is not in it was in each parent, and was the same
);
