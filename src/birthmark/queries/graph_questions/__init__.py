"""Questions to the network of uses that go further than one step: pure functions over it."""
