"""How scaling curves are shown."""
