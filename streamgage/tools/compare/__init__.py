"""The answer of ``streamgage compare``, in every format."""
