"""Ranks a machine among cloud servers that others measured."""
