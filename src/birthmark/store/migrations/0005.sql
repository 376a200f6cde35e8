-- What `search` looks in. Neither table keeps what it was made from, and both can be made again at any time.

-- The names of all keys by their groups of three letters; the number of a name is that of the first key that has it.
CREATE VIRTUAL TABLE searched_names USING fts5 (name, content = '', detail = none, columnsize = 0, tokenize = 'trigram');
CREATE VIRTUAL TABLE searched_name_groups USING fts5vocab (searched_names, row);

-- The texts of contents that snapshots have, by the numbers of their extractions; made when they are first searched.
CREATE VIRTUAL TABLE searched_texts
USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
