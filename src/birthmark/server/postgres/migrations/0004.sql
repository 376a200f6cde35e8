-- The tokens of persons, by their names: hashes, and what each may do. They belong to the repository without a name, and readers
-- have nothing to do with them.

CREATE TABLE birthmark.tokens (
    repository integer NOT NULL,
    id         text COLLATE "C" NOT NULL,
    document   bytea NOT NULL,  -- JSON
    PRIMARY KEY (repository, id)
) PARTITION BY HASH (repository);

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE birthmark.%I PARTITION OF birthmark.tokens FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                       'tokens_' || part, part);
    END LOOP;
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) < 2 THEN
        RETURN;
    END IF;
    ALTER TABLE birthmark.tokens ENABLE ROW LEVEL SECURITY;
    CREATE POLICY written ON birthmark.tokens TO birthmark_writer USING (true) WITH CHECK (true);
    GRANT SELECT, INSERT, UPDATE, DELETE ON birthmark.tokens TO birthmark_writer;
END $$;
