"""Runs the parts of `scripts/test`, each with several steps, and prints a table of results."""
