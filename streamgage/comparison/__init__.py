"""Figures held against others: of two results, of published values, of other machines."""
