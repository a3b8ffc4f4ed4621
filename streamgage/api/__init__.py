"""The classes that the public functions return, and their text, rows, plots and pages."""
