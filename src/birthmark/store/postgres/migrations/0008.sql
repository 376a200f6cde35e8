-- The planner is to know nothing of the numbers of repositories. From statistics it would know those that were there when they
-- were made, and of a newer one it would expect a single row in each table: then to read all rows of that repository for
-- each row of another table seems as good as to look one up. Without them it expects a two-hundredth of a partition.

DO $$
DECLARE
    part record;
    is_clearing boolean := current_setting('server_version_num')::integer >= 180000;
BEGIN
    FOR part IN
        SELECT relname, relkind, attrelid, attnum FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = 'birthmark'::regnamespace AND relkind IN ('r', 'p') AND attname = 'repository'
    LOOP
        EXECUTE format('ALTER TABLE ONLY birthmark.%I ALTER COLUMN repository SET STATISTICS 0', part.relname);
        IF is_clearing THEN
            PERFORM pg_clear_attribute_stats('birthmark', part.relname, 'repository', part.relkind = 'p');
        ELSIF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
            DELETE FROM pg_statistic WHERE starelid = part.attrelid AND staattnum = part.attnum;
        END IF;
    END LOOP;
END $$;
