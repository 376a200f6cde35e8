CREATE TABLE before_it (id int);

CREATE TABLE broken_one (id int,,, name text;

CREATE VIEW after_it AS SELECT id FROM before_it;

CREATE FUNCTION last_one() RETURNS int AS $$ SELECT 1; $$ LANGUAGE sql;
