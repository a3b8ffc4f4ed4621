"""What the public functions return, as text, rows, plots and pages."""
