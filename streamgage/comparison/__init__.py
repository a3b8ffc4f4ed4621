"""Compares figures with other results, published values and other machines."""
