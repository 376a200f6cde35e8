"""What each page shows: a request in, a Page out."""
