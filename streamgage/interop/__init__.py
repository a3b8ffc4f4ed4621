"""The saved output of other benchmarks, as records that the ordinary analysis takes."""
