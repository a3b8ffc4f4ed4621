"""A folder for each command that gives no result to store."""
