"""What others publish for memory such as this: who expects or measured how much, and where."""
