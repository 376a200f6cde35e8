"""What is recorded of requests, and how the server is."""
