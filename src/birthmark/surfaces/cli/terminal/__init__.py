"""Terminal output: tables, groups, patches, reports, and the pager."""
