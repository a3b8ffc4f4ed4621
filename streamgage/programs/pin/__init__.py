"""Starts any program with its threads on given CPUs, and reports where they really ran."""
