"""The answer of ``streamgage numa``, in every format."""
