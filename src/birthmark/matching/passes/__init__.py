"""The passes of a pairing, in the order that `matching/pair.py` gives."""
