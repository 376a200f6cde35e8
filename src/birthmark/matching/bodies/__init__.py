"""What is inside of functions: which token, block, variable or node of a body is which after an edit."""
