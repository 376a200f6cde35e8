CREATE TYPE mood AS ENUM ('sad', 'happy');

CREATE TYPE app.point AS (x int, y int);

CREATE TYPE span AS RANGE (subtype = float8);

CREATE SEQUENCE app.numbers OWNED BY app.point.x;
