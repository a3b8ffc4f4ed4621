"""Starting any program with its threads on given CPUs, and learning where they really ran."""
