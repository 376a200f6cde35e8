"""A scan's report in the formats of people and programs."""
