"""Notes on identities: written, found, kept and deleted."""
