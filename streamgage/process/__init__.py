"""Starts, watches and ends programs: the engine, launchers, and others."""
