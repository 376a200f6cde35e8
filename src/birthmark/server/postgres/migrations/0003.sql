-- The repositories of the fleet: where each comes from, and what was indexed of it. They belong to the repository without a
-- name, as does all that is of the whole database.

CREATE TABLE birthmark.fleet_repositories (
    repository integer NOT NULL,
    id         text COLLATE "C" NOT NULL,  -- the name
    document   bytea NOT NULL,             -- JSON
    PRIMARY KEY (repository, id)
) PARTITION BY HASH (repository);

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE birthmark.fleet_repositories_%s PARTITION OF birthmark.fleet_repositories
                        FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    END LOOP;
    ALTER TABLE birthmark.fleet_repositories ENABLE ROW LEVEL SECURITY;
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) < 2 THEN
        RETURN;
    END IF;
    GRANT SELECT ON birthmark.fleet_repositories TO birthmark_reader;
    GRANT SELECT, INSERT, UPDATE, DELETE ON birthmark.fleet_repositories TO birthmark_writer;
    CREATE POLICY written ON birthmark.fleet_repositories TO birthmark_writer USING (true) WITH CHECK (true);
    CREATE POLICY seen ON birthmark.fleet_repositories FOR SELECT TO birthmark_reader
        USING (repository = ANY ((SELECT birthmark.visible_repositories())::integer[]));
END $$;
