"""Watches memory traffic, judges it, and shows it: as a summary, live, as CSV and as a picture."""
