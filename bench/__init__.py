"""Measurements: each prints what it measured and how. Never a test; `python -m bench --help` names the cases."""
