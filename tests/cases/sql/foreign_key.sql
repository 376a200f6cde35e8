CREATE TABLE lines (
  order_id int,
  CONSTRAINT lines_order FOREIGN KEY (order_id) REFERENCES orders (id)
);

CREATE TABLE codes (
  code text,
  CONSTRAINT one_code UNIQUE (code)
);
