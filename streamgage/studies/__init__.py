"""Experiments as a user thinks of them, one a file: plan, run, interpret."""
