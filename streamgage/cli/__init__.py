"""The program ``streamgage``: parses a command line, calls the function, shows what it returns."""

from streamgage.cli.program import main

__all__ = ["main"]
