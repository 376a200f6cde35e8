"""What a REF says, and what it names now or named once."""
