"""Interpretation: pure functions over records. Nothing here reads a file or starts a program."""
