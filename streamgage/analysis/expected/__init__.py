"""Published bandwidths for similar hardware: who expects or measured how much, and where."""
