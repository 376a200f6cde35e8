"""Known refactorings of real code, and what they made of every definition; see docs/explanation/refactorings.md."""
