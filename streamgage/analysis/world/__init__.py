"""The place of a machine among the cloud servers that others measured."""
