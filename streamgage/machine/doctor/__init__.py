"""Whether this environment is fit to measure: ``streamgage doctor``."""
