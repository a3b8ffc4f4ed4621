"""One function a command: the Python interface."""
