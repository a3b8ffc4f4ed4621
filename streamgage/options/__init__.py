"""How options are declared, and what their values mean."""
