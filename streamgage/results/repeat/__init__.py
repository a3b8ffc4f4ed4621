"""The answer of ``streamgage repeat``, in every format."""
