"""How a comparison of compilers is shown."""
