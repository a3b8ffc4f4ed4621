"""The program ``streamgage``: a command a file, each parses, calls a study and shows its answer."""

from streamgage.cli.program import main

__all__ = ["main"]
