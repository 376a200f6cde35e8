-- Edges of all kinds as postings: those that lead from one file to one node. All of it can be made again from the rest.

DROP TABLE birthmark.uses;
DROP TABLE birthmark.network_mentions;
DELETE FROM birthmark.networks;
DELETE FROM birthmark.resolved_files;
DELETE FROM birthmark.candidate_sets;

-- A node is the identity of a definition or, after `=`, the path of a file or the name of a set of candidates.

CREATE TABLE birthmark.postings (
    repository integer NOT NULL,
    network    integer NOT NULL,
    used       text COLLATE "C" NOT NULL,
    file       bigint NOT NULL,
    packed     bytea NOT NULL,  -- the edges
    PRIMARY KEY (repository, network, used, file)
) PARTITION BY HASH (repository);
CREATE INDEX postings_by_file ON birthmark.postings (repository, file);

-- What a definition is inside of is no longer asked for by its name.

DROP VIEW birthmark.present;
ALTER TABLE birthmark.entities DROP COLUMN is_outer;
CREATE VIEW birthmark.present WITH (security_invoker = true) AS
SELECT files.repository, snapshot, path, entities.identity, mark, semantic_path, birth,
       split_part(semantic_path, ':', 1) AS language,
       kind, entities.name, qualified_name, content_hash, entities.start_line, entities.end_line, version, ordinal
FROM birthmark.files JOIN birthmark.entities USING (repository, version)
     JOIN birthmark.paths USING (repository, path_id)
     JOIN birthmark.identities USING (repository, identity)
     JOIN birthmark.keys ON keys.repository = entities.repository AND keys.key = entities.key;

DO $$
DECLARE
    part integer;
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE birthmark.postings_%s PARTITION OF birthmark.postings FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                       part, part);
        EXECUTE format('ALTER TABLE birthmark.postings_%s ALTER COLUMN repository SET STATISTICS 0', part);
    END LOOP;
    ALTER TABLE ONLY birthmark.postings ALTER COLUMN repository SET STATISTICS 0;
    ALTER TABLE birthmark.postings ENABLE ROW LEVEL SECURITY;
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) = 2 THEN
        GRANT SELECT ON birthmark.postings, birthmark.present TO birthmark_reader;
        GRANT SELECT, INSERT, UPDATE, DELETE ON birthmark.postings TO birthmark_writer;
        GRANT SELECT ON birthmark.present TO birthmark_writer;
        CREATE POLICY written ON birthmark.postings TO birthmark_writer USING (true) WITH CHECK (true);
        CREATE POLICY seen ON birthmark.postings FOR SELECT TO birthmark_reader
            USING (repository = ANY ((SELECT birthmark.visible_repositories())::integer[]));
    END IF;
END $$;
