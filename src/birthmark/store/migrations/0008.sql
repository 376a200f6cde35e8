-- References are kept with the outlines that they are in. Of them a version shows the names, by which it is found.

CREATE TABLE reference_names (
    name         TEXT NOT NULL,     -- of references, or what an import or an argument is called instead
    version      INTEGER NOT NULL,
    n_references INTEGER NOT NULL,  -- that have this name themselves
    n_calls      INTEGER NOT NULL,  -- among them
    PRIMARY KEY (name, version)
) WITHOUT ROWID;

INSERT INTO reference_names
SELECT name, version, sum(is_name), sum(is_call) FROM (
    SELECT name, version, 1 AS is_name, edge = 'calls' AS is_call FROM edges
    UNION ALL SELECT alias, version, 0, 0 FROM edges WHERE alias IS NOT NULL)
GROUP BY name, version;

DROP VIEW mentions;
DROP TABLE edges;
