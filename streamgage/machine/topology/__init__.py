"""Shows the machine as tables, as boxes in the terminal, and as a picture."""
