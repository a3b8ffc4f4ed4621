"""Statistics that every kind of result uses."""
