"""Answers for agents, over MCP. Only `server.py` imports the SDK, which is an extra."""
