-- The library: books, who wrote them, and who has them.
CREATE SCHEMA library;

CREATE EXTENSION pgcrypto;

CREATE TYPE library.condition AS ENUM ('new', 'worn', 'lost');

CREATE TYPE library.address AS (street text, city varchar(80));

/* Those who write. */
CREATE TABLE IF NOT EXISTS library.authors (
    id BIGSERIAL PRIMARY KEY,
    name TEXT NOT NULL,
    home library.address,
    born DATE
);

-- One row a copy.
CREATE TABLE library.books (
    id int PRIMARY KEY,
    author_id bigint NOT NULL REFERENCES library.authors (id),
    title varchar(200) DEFAULT 'untitled',
    state library.condition,
    price numeric(8, 2) CHECK (price > 0),
    CONSTRAINT one_title CHECK (length(title) > 0)
);

CREATE UNIQUE INDEX books_by_title ON library.books USING btree (lower(title), author_id);

ALTER TABLE library.books ADD COLUMN shelf text, ADD CONSTRAINT known_shelf CHECK (shelf <> '');

CREATE SEQUENCE library.loan_numbers START 100;

-- What is on the shelves.
CREATE OR REPLACE VIEW library.shelved AS
SELECT b.id, upper(b.title) AS title, a.name
FROM library.books AS b
LEFT JOIN library.authors a ON a.id = b.author_id
WHERE b.shelf IS NOT NULL;

CREATE MATERIALIZED VIEW busiest AS
WITH RECURSIVE loans AS (
    SELECT book_id, count(*) AS n FROM library.loans GROUP BY book_id
), top AS (
    SELECT book_id FROM loans WHERE n > 10
)
SELECT * FROM top;

-- The price with a discount.
CREATE FUNCTION library.discounted(book int, IN percent numeric DEFAULT 10) RETURNS numeric AS $$
    SELECT price * (100 - percent) / 100 FROM library.books WHERE id = book;
$$ LANGUAGE sql STABLE;

CREATE TRIGGER stamp_books
BEFORE INSERT ON library.books
FOR EACH ROW EXECUTE FUNCTION library.stamp('books');

INSERT INTO library.authors (id, name) VALUES (1, 'Ursula'), (2, 'Stanislaw');

UPDATE library.books SET price = round(price * 1.1, 2) WHERE state = 'new';

DELETE FROM library.books WHERE state = 'lost';

SELECT
    CASE WHEN b.price > 20 THEN 'dear' ELSE 'cheap' END AS class,
    sum(b.price) OVER (PARTITION BY b.author_id)
FROM library.books b
WHERE EXISTS (SELECT 1 FROM library.loans l WHERE l.book_id = b.id);
