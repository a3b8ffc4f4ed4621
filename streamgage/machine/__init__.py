"""The machine: its parts, and what would spoil a measurement."""
