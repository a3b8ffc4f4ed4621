"""Texts that a person has read and approved, each in a file.

``STREAMGAGE_APPROVE=1 pytest FILE`` writes what the program prints now, to be reviewed.
"""

from __future__ import annotations

import os
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "unit" / "golden"


def approved(name: str | Path, text: str) -> None:
    """Check that the text is that of file ``name`` in ``tests/unit/golden``, or of that path."""
    path = GOLDEN / name
    if os.environ.get("STREAMGAGE_APPROVE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
