-- Edges of all kinds as postings: those that lead from one file to one node. All of it can be made again from the rest.

DROP TABLE uses;
DROP TABLE network_mentions;
DELETE FROM networks;
DELETE FROM resolved_files;
DELETE FROM candidate_sets;

-- A node is the identity of a definition, the path of a file, or the name of a set of candidates.

CREATE TABLE postings (
    network INTEGER NOT NULL,
    used    NOT NULL,
    file    INTEGER NOT NULL,
    packed  BLOB NOT NULL,  -- the edges
    PRIMARY KEY (network, used, file)
) WITHOUT ROWID;
CREATE INDEX postings_by_file ON postings (file);

-- What a definition is inside of is no longer asked for by its name.

DROP INDEX IF EXISTS outer_entities;
DROP VIEW present;
ALTER TABLE entities DROP COLUMN is_outer;
CREATE VIEW present AS
SELECT snapshot, path, entities.identity, mark, semantic_path, birth,
       substr(semantic_path, 1, instr(semantic_path, ':') - 1) AS language,
       kind, name, qualified_name, content_hash, entities.start_line, entities.end_line, version, ordinal
FROM files JOIN entities USING (version) JOIN paths USING (path_id) JOIN identities USING (identity)
     JOIN keys ON keys.key = entities.key;
