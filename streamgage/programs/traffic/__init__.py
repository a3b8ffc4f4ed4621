"""How memory traffic is shown: a summary, a live view, lines, CSV and a picture."""
