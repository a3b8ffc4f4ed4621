"""Interprets records by pure functions. Nothing here reads a file or starts a program."""
