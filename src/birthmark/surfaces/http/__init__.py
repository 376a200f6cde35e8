"""The index and its subscriptions over HTTP. `routes.py` is the table of all that can be asked."""
