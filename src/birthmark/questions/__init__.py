"""The questions about a repository: one class a question, with its parameters and its answer."""
