"""Declares options, and reads their values."""
