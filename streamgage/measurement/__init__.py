"""A measurement from its options to its result."""
