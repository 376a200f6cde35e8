-- The planner's statistics. PostgreSQL keeps those of partitions up to date by itself, in time, but never those of the
-- tables that have partitions, by which joins are planned: without them it expects a product of rows for each one.

CREATE FUNCTION birthmark.refresh_statistics(number integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    remainder integer;
    parent regclass;
    part regclass;
    is_only text := CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN 'ONLY ' ELSE '' END;
BEGIN
    PERFORM pg_advisory_xact_lock(1651077750);  -- Two that take the tables in another order would wait for each other.
    SELECT split_part(tableoid::regclass::text, '_', -1) INTO remainder FROM birthmark.runs WHERE repository = number LIMIT 1;
    FOR parent, part IN
        SELECT inhparent, inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE relnamespace = 'birthmark'::regnamespace AND relkind = 'r' AND relname LIKE '%\_' || remainder
          AND pg_relation_size(inhrelid) > 2 * current_setting('block_size')::bigint * relpages
        ORDER BY inhparent
    LOOP
        EXECUTE 'ANALYZE ' || part;
        IF (SELECT 2 * greatest(reltuples, 0) FROM pg_class WHERE oid = parent)
            < (SELECT sum(greatest(reltuples, 0)) FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = parent)
        THEN
            EXECUTE 'ANALYZE ' || is_only || parent;
        END IF;
    END LOOP;
    IF (SELECT pg_relation_size(oid) > 2 * current_setting('block_size')::bigint * relpages
        FROM pg_class WHERE oid = 'birthmark.extractions'::regclass) THEN
        ANALYZE birthmark.extractions;
    END IF;
END $$;
REVOKE EXECUTE ON FUNCTION birthmark.refresh_statistics FROM PUBLIC;

DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'birthmark_writer') THEN
        GRANT EXECUTE ON FUNCTION birthmark.refresh_statistics TO birthmark_writer;
    END IF;
END $$;

-- Whether texts of a repository have NUL, which is written otherwise: see store/postgres/database.py.

ALTER TABLE birthmark.repositories ADD COLUMN has_escapes boolean NOT NULL DEFAULT false;
