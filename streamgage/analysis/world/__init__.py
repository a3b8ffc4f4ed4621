"""Where a machine stands among the cloud servers that others measured."""
