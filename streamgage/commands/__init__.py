"""One function per command: its options, its help, and the Python interface."""
