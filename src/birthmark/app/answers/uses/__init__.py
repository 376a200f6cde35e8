"""Answers from the graph: who uses what, what a change reaches, what no code uses."""
