"""The composition root: joins sources, languages, the pool of parsers and the store.

Surfaces call these modules and nothing below them that touches the world.
"""
