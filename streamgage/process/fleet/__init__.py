"""Measures many nodes at once: launchers start the engine on each, and a line comes back."""
