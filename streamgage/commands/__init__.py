"""The functions of the commands, one module each: options, help, and Python interface."""
