"""What the functions of commands share: declarations, groups of options, values, and results."""
