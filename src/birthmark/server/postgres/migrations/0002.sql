-- Who may do what. Roles belong to all databases of a server; where they cannot be made, the owner works alone.

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['birthmark_reader', 'birthmark_writer'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
EXCEPTION
    WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
END $$;

-- A repository that is deleted takes its rows along. Foreign keys would look it up for every row that is written.

CREATE FUNCTION birthmark.delete_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    parent text;
BEGIN
    FOR parent IN SELECT relname FROM pg_class WHERE relnamespace = 'birthmark'::regnamespace AND relkind = 'p' LOOP
        EXECUTE format('DELETE FROM birthmark.%I WHERE repository = $1', parent) USING OLD.repository;
    END LOOP;
    RETURN OLD;
END $$;
CREATE TRIGGER delete_rows AFTER DELETE ON birthmark.repositories FOR EACH ROW EXECUTE FUNCTION birthmark.delete_rows();

-- The repositories that a session may see, by their numbers; none where none are named.

CREATE FUNCTION birthmark.visible_repositories() RETURNS integer[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT string_to_array(nullif(current_setting('birthmark.repositories', true), ''), ',')::integer[] $$;

-- Policies hold for readers; a writer sees all, and the owner is not asked.

DO $$
DECLARE
    name text;
    is_visible text := 'repository = ANY ((SELECT birthmark.visible_repositories())::integer[])';
BEGIN
    IF (SELECT count(*) FROM pg_roles WHERE rolname IN ('birthmark_reader', 'birthmark_writer')) < 2 THEN
        RETURN;
    END IF;
    GRANT USAGE ON SCHEMA birthmark TO birthmark_reader, birthmark_writer;
    GRANT SELECT ON ALL TABLES IN SCHEMA birthmark TO birthmark_reader, birthmark_writer;
    FOR name IN SELECT relname FROM pg_class
                WHERE relnamespace = 'birthmark'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                  AND relname NOT IN ('migrations') LOOP
        EXECUTE format('ALTER TABLE birthmark.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY written ON birthmark.%I TO birthmark_writer USING (true) WITH CHECK (true)', name);
        EXECUTE format('GRANT INSERT ON birthmark.%I TO birthmark_writer', name);
        IF name = 'extractions' THEN
            EXECUTE 'CREATE POLICY seen ON birthmark.extractions FOR SELECT TO birthmark_reader USING (EXISTS (
                SELECT 1 FROM birthmark.versions WHERE versions.extraction = extractions.extraction AND versions.' || is_visible || '))';
        ELSE
            EXECUTE format('CREATE POLICY seen ON birthmark.%I FOR SELECT TO birthmark_reader USING (%s)', name, is_visible);
        END IF;
    END LOOP;
    -- The ledger is only added to; what shows it, and what people wrote, is replaced and deleted.
    GRANT UPDATE ON birthmark.repositories, birthmark.meta, birthmark.extractions, birthmark.snapshots, birthmark.files,
        birthmark.networks, birthmark.searched_texts, birthmark.subscriptions, birthmark.notes, birthmark.scans, birthmark.outbox
        TO birthmark_writer;
    GRANT DELETE ON birthmark.files, birthmark.entities, birthmark.reference_names, birthmark.resolved_files, birthmark.uses,
        birthmark.candidate_sets, birthmark.network_mentions, birthmark.searched_texts, birthmark.subscriptions, birthmark.notes,
        birthmark.contents, birthmark.outbox TO birthmark_writer;
    -- Partitions are reached through their tables alone.
    FOR name IN SELECT relname FROM pg_class
                WHERE relnamespace = 'birthmark'::regnamespace AND relkind = 'r' AND relispartition LOOP
        EXECUTE format('REVOKE ALL ON birthmark.%I FROM birthmark_reader, birthmark_writer', name);
    END LOOP;
END $$;
