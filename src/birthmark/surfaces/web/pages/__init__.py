"""The pages: a request in, a Page out."""
