"""What a machine is made of, and what of it this process may use, from its record."""
