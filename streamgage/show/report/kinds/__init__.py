"""The table and the plots of each kind of result."""
