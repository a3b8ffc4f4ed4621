"""What `scripts/test` runs: parts, each of some steps, and a table of how they ended."""
