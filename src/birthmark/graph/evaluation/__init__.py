"""Evaluate a path such as `self.shop.open()` at a place: one module a question."""
