"""Copy the stores of a repository from one place to another."""
