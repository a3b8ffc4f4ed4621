"""One function a command: its options, its help, and the Python interface."""
