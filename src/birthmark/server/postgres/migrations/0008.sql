-- The planner is to know how many repositories are in a partition, and nothing of their numbers. From statistics of these it
-- would know those that were there when they were made, and of a newer one it would expect a single row in each table:
-- then to read all rows of that repository for each row of another table seems as good as to look one up. Where the
-- server can be told nothing, before PostgreSQL 18, it expects a two-hundredth of a partition.

CREATE OR REPLACE FUNCTION birthmark.refresh_statistics(number integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    remainder integer;
    parent regclass;
    part regclass;
    has_18 boolean := current_setting('server_version_num')::integer >= 180000;
    is_only text := CASE WHEN has_18 THEN 'ONLY ' ELSE '' END;
    n_repositories real;
BEGIN
    PERFORM pg_advisory_xact_lock(1651077750);  -- Two that take the tables in another order would wait for each other.
    SELECT split_part(tableoid::regclass::text, '_', -1) INTO remainder FROM birthmark.runs WHERE repository = number LIMIT 1;
    IF remainder IS NOT NULL THEN
        EXECUTE format('SELECT count(DISTINCT repository) FROM birthmark.snapshots_%s', remainder) INTO n_repositories;
    END IF;
    FOR parent, part IN
        SELECT inhparent, inhrelid FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE relnamespace = 'birthmark'::regnamespace AND relkind = 'r' AND relname LIKE '%\_' || remainder
          AND pg_relation_size(inhrelid) > 2 * current_setting('block_size')::bigint * relpages
        ORDER BY inhparent
    LOOP
        EXECUTE 'ANALYZE ' || part;
        IF has_18 THEN
            PERFORM pg_restore_attribute_stats(
                'schemaname', 'birthmark', 'relname', split_part(part::text, '.', 2), 'attname', 'repository',
                'inherited', false, 'null_frac', 0::real, 'avg_width', 4, 'n_distinct', greatest(n_repositories, 1::real));
        END IF;
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

DO $$
DECLARE
    part record;
BEGIN
    FOR part IN
        SELECT relname, relkind, attrelid, attnum FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = 'birthmark'::regnamespace AND relkind IN ('r', 'p') AND attname = 'repository'
    LOOP
        EXECUTE format('ALTER TABLE ONLY birthmark.%I ALTER COLUMN repository SET STATISTICS 0', part.relname);
        IF current_setting('server_version_num')::integer >= 180000 THEN
            PERFORM pg_clear_attribute_stats('birthmark', part.relname, 'repository', part.relkind = 'p');
        ELSIF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
            DELETE FROM pg_statistic WHERE starelid = part.attrelid AND staattnum = part.attnum;
        END IF;
    END LOOP;
END $$;
