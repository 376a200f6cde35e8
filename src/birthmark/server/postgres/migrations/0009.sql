-- Identities that turned out to be others: what was issued before a replay is a name of what the replay found. A merge gives
-- the successor keys, places in versions and, if it is the older one, the mark; a replay that was wrong is set aside.

CREATE TABLE birthmark.merges (
    repository integer NOT NULL,
    identity   bigint NOT NULL,
    successor       bigint NOT NULL,
    run        integer NOT NULL,
    PRIMARY KEY (repository, identity)
) PARTITION BY HASH (repository);

DO $$
DECLARE
    part integer;
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE birthmark.merges_%s PARTITION OF birthmark.merges FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                       part, part);
    END LOOP;
    ALTER TABLE birthmark.merges ENABLE ROW LEVEL SECURITY;
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) = 2 THEN
        GRANT SELECT ON birthmark.merges TO birthmark_reader;
        GRANT SELECT, INSERT, UPDATE ON birthmark.merges TO birthmark_writer;
        GRANT UPDATE ON birthmark.keys, birthmark.identities, birthmark.versions, birthmark.entities, birthmark.runs
            TO birthmark_writer;
        GRANT DELETE ON birthmark.commits, birthmark.removed_files, birthmark.version_links TO birthmark_writer;
        CREATE POLICY written ON birthmark.merges TO birthmark_writer USING (true) WITH CHECK (true);
        CREATE POLICY seen ON birthmark.merges FOR SELECT TO birthmark_reader
            USING (repository = ANY ((SELECT birthmark.visible_repositories())::integer[]));
    END IF;
END $$;
