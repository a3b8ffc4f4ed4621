"""What shows results: text, pictures and pages."""
