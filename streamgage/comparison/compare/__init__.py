"""The result of ``streamgage compare``, in every format."""
