"""Reads the saved outputs of other benchmarks as records, which the ordinary analysis takes."""
