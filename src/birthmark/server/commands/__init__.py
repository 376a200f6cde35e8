"""Commands of the server part."""
