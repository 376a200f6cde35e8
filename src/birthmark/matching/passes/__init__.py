"""The passes of a pairing, from same place to what is left over; `matching/pair.py` has their order."""
