"""A benchmark's time, measured by the speed that the memory has at that moment."""
