CREATE TABLE orders (
  id int,
  buyer int REFERENCES users (id),
  CONSTRAINT orders_pk PRIMARY KEY (id),
  CONSTRAINT positive CHECK (id > 0),
  INDEX by_buyer (buyer)
);
