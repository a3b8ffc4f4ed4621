"""The list of kept results."""
