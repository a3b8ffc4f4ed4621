"""Published values for similar memory: who expects or measured how much, and where."""
