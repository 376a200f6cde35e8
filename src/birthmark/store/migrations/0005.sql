-- What `search` looks in. Neither table keeps what it was made from, and both can be made again at any time.

-- The names of all keys by their trigrams. The number of a name is that of the first key that has it, times 256, plus
-- its length (255 at most), so that names are chosen by length before they are read.
CREATE VIRTUAL TABLE searched_names USING fts5 (name, content = '', detail = none, columnsize = 0, tokenize = 'trigram');
CREATE VIRTUAL TABLE searched_name_trigrams USING fts5vocab (searched_names, row);

-- The texts of contents that snapshots have, by the numbers of their extractions; made when they are first searched.
CREATE VIRTUAL TABLE searched_texts
USING fts5 (text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');
