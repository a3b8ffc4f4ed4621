"""Places a machine among the cloud servers that others measured."""
