; What stands between tags, in which white space counts
(jsx_text) @string
