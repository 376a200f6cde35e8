"""Send the findings of a scan by webhook and e-mail."""
