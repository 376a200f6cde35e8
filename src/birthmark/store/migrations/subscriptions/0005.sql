-- Where the log of subscriptions ended after the last transaction.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;
