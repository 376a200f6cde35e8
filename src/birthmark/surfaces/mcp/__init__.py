"""Answers for agents, by the Model Context Protocol. Only `server.py` imports the SDK, which is an extra."""
