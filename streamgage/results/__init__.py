"""A folder for each kind of result."""
