"""Carries out measurements, from their options to their results."""
