"""Bandwidth of kernels: ``streamgage measure``, and the output of other benchmarks."""
