"""What a source says of its names: read from one file, and kept with it."""
