"""Which file or package an import means, and what modules give to others."""
