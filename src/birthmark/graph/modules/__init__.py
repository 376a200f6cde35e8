"""Targets of imports, and the exports of modules."""
