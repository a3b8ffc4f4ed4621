"""Programs that are started, watched and ended: the engine, launchers, and others."""
