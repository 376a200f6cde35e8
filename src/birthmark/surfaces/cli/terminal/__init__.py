"""How answers are drawn for people: tables, groups, patches, reports, and the pager."""
