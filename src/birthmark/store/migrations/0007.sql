-- Where definitions are mentioned that are inside of no other one: what reads, writes, exports them and the like.

CREATE TABLE network_mentions (
    network    INTEGER NOT NULL,
    used       INTEGER NOT NULL,
    file       INTEGER NOT NULL,
    user       NOT NULL,          -- the identity of a definition, or the path of a file
    edge       TEXT NOT NULL,
    resolution TEXT NOT NULL,
    line       INTEGER NOT NULL,  -- the first of such a use
    PRIMARY KEY (network, used, file, user, edge)
) WITHOUT ROWID;
CREATE INDEX network_mentions_by_file ON network_mentions (file);
