"""Writes results as text, pictures and pages."""
