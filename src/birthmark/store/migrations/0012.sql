-- The packages that the manifests of the repository define, and what each depends on.

CREATE TABLE packages (
    package   INTEGER PRIMARY KEY,
    ecosystem TEXT NOT NULL,  -- where its name is looked up
    name      TEXT NOT NULL,
    folder    TEXT NOT NULL,  -- of its manifest
    manifest  TEXT NOT NULL   -- a path
);

CREATE TABLE dependencies (
    package   INTEGER NOT NULL,
    ecosystem TEXT NOT NULL,
    name      TEXT NOT NULL,  -- of a package of any repository
    PRIMARY KEY (package, ecosystem, name)
) WITHOUT ROWID;
