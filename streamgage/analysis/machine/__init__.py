"""The parts of a machine, and those that this process may use, from its record."""
