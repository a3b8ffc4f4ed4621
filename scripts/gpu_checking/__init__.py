"""Proves or refutes on a GPU what the project claims of GPUs, for scripts/gpu_check."""
