"""What can be asked of a repository: one file a question, with its parameters and its answer."""
