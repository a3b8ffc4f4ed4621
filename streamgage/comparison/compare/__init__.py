"""Compares results for ``streamgage compare``: the document and its page."""
