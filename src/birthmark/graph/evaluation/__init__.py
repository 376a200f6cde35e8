"""What a path such as `self.shop.open()` means at a place: one module a question."""
