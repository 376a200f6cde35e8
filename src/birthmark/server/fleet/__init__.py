"""Many repositories in one database: where each comes from, and bringing all their indexes up to date."""
