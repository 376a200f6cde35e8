"""Who wants to know when something changes, what a scan has to tell them, and what they have accepted."""
