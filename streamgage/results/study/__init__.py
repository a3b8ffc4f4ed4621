"""A program beside STREAM, in each format."""
