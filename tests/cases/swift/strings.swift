let a = "  one  \(two( 1 ))  three\n"
let b = """
    first  \(a)
      second
    """
let c = #"raw  "x" \#(a)"#
let d = /a  b/
// a comment
/* another /* nested */ one */
