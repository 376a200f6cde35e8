"""The routes: their table, what a request asks, what is answered."""
