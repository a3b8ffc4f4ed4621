"""``python -m streamgage`` is the program ``streamgage``."""

from streamgage.cli import main

if __name__ == "__main__":
    main()
