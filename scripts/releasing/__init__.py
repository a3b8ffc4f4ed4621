"""Builds and describes what a release has."""
