"""Who is who after an edit."""
