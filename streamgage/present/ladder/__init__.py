"""How ladders are shown."""
