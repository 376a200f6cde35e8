"""One folder a language, and the registry that reads them."""
