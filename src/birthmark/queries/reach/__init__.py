"""What is a test, and which tests a change reaches."""
