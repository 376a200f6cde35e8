-- Whether a definition is inside of no other one of its file, so that those are found by name without the files they are in.

ALTER TABLE entities ADD COLUMN is_outer INTEGER NOT NULL DEFAULT 1;

UPDATE entities AS inside SET is_outer = 0
WHERE length(qualified_name) > length(name) AND EXISTS (
    SELECT 1 FROM entities AS around
    WHERE around.version = inside.version
      AND around.qualified_name = substr(inside.qualified_name, 1, length(inside.qualified_name) - length(inside.name) - 1)
      AND around.start_line <= inside.start_line AND inside.end_line <= around.end_line
);

DROP VIEW present;
CREATE VIEW present AS
SELECT snapshot, path, entities.identity, mark, semantic_path, birth,
       substr(semantic_path, 1, instr(semantic_path, ':') - 1) AS language,
       kind, name, qualified_name, content_hash, entities.start_line, entities.end_line, version, ordinal, is_outer
FROM files JOIN entities USING (version) JOIN paths USING (path_id) JOIN identities USING (identity)
     JOIN keys ON keys.key = entities.key;
