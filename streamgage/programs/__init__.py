"""A user's own programs: where they run, what they move, how they scale."""
