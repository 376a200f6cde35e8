-- Calls say with how many arguments, which distinguishes functions of one name.

ALTER TABLE edges ADD COLUMN n_arguments INTEGER NOT NULL DEFAULT -1;

DROP VIEW mentions;

CREATE VIEW mentions AS
SELECT snapshot, path, files.language, edges.edge, edges.name, edges.receiver, edges.alias, edges.entity, edges.line,
       edges.n_arguments, identity, kind, entities.name AS entity_name, entities.qualified_name, entities.start_line,
       entities.end_line, edges.version, edges.ordinal
FROM edges JOIN files USING (version) JOIN paths USING (path_id)
     LEFT JOIN entities ON entities.version = edges.version AND entities.ordinal = edges.entity;
