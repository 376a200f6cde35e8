"""Manifests of a repository: the names by which its own modules are imported."""
