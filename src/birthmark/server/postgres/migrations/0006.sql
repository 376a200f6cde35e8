-- The packages that the manifests of each repository define, and what each depends on: by them, a question goes from one
-- repository to another. Copies are found by their contents.

CREATE TABLE birthmark.packages (
    repository integer NOT NULL,
    package    integer NOT NULL,
    ecosystem  text COLLATE "C" NOT NULL,  -- where its name is looked up
    name       text COLLATE "C" NOT NULL,
    folder     text COLLATE "C" NOT NULL,  -- of its manifest
    manifest   text COLLATE "C" NOT NULL,  -- a path
    PRIMARY KEY (repository, package)
) PARTITION BY HASH (repository);
CREATE INDEX packages_by_name ON birthmark.packages (ecosystem, name);

CREATE TABLE birthmark.dependencies (
    repository integer NOT NULL,
    package    integer NOT NULL,
    ecosystem  text COLLATE "C" NOT NULL,
    name       text COLLATE "C" NOT NULL,  -- of a package of any repository
    PRIMARY KEY (repository, package, ecosystem, name)
) PARTITION BY HASH (repository);
CREATE INDEX dependencies_by_name ON birthmark.dependencies (ecosystem, name);

CREATE INDEX entities_by_content ON birthmark.entities (content_hash);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['packages', 'dependencies'] LOOP
        FOR part IN 0..15 LOOP
            EXECUTE format('CREATE TABLE birthmark.%I PARTITION OF birthmark.%I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                           name || '_' || part, name, part);
        END LOOP;
        EXECUTE format('ALTER TABLE birthmark.%I ENABLE ROW LEVEL SECURITY', name);
        IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) = 2 THEN
            EXECUTE format('GRANT SELECT ON birthmark.%I TO birthmark_reader', name);
            EXECUTE format('GRANT SELECT, INSERT, DELETE ON birthmark.%I TO birthmark_writer', name);
            EXECUTE format('CREATE POLICY written ON birthmark.%I TO birthmark_writer USING (true) WITH CHECK (true)', name);
            EXECUTE format('CREATE POLICY seen ON birthmark.%I FOR SELECT TO birthmark_reader
                            USING (repository = ANY ((SELECT birthmark.visible_repositories())::integer[]))', name);
        END IF;
    END LOOP;
END $$;
