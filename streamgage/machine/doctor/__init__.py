"""Checks whether this environment is fit to measure: ``streamgage doctor``."""
