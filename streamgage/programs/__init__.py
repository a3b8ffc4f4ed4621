"""Examines a user's own programs: where they run, what they move, and how they scale."""
