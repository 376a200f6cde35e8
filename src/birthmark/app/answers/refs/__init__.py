"""From the text of a REF to what it names: in a state, in the index, at a revision."""
