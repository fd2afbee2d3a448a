"""The commands that need no GitHub: they check trees, list rules, and validate configurations."""
