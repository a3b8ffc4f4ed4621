"""How latencies are shown."""
