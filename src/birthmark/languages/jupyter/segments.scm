; A cell's type stands before its source or behind it.
(array
  (object
    (pair
      key: (string (string_content) @_type)
      value: (string (string_content) @_code))
    (pair key: (string (string_content) @_source) value: (_) @content)) @segment.cell
  (#eq? @_type "cell_type") (#eq? @_code "code") (#eq? @_source "source"))
(array
  (object
    (pair key: (string (string_content) @_source) value: (_) @content)
    (pair
      key: (string (string_content) @_type)
      value: (string (string_content) @_code))) @segment.cell
  (#eq? @_type "cell_type") (#eq? @_code "code") (#eq? @_source "source"))
