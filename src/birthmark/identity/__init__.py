"""Names: keys, marks, semantic ids, uids and fingerprints."""
