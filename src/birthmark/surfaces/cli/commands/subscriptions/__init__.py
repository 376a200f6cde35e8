"""Commands that inform of changes, and that write down what is known."""
