-- Documented.
CREATE FUNCTION add(a int, b integer DEFAULT 1) RETURNS int AS $$ SELECT a + b; $$ LANGUAGE sql;

CREATE OR REPLACE FUNCTION app.pairs(text, VARIADIC rest int[], OUT total int)
RETURNS TABLE (left_id int, right_id int) LANGUAGE plpgsql AS $body$
DECLARE
  counter int := 0;
BEGIN
  SELECT max(id) INTO counter FROM app.t;
END;
$body$;

CREATE FUNCTION one() RETURNS int LANGUAGE sql RETURN 1;

CREATE FUNCTION quoted() RETURNS int AS 'select  1' LANGUAGE sql;
