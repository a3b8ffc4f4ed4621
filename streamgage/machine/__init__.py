"""The machine as it is: its parts, and what would spoil a measurement."""
