"""Pictures: which files can be written, how figures look, and their bytes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png")
READ = "#2a6f97"
WRITTEN = "#e9a03b"
LIMIT = "#9b2226"
TEXT = "#222222"
"""Colours that are told apart without red and green, and in grey."""
_DOTS_PER_INCH = 150


def is_picture(path: Path) -> bool:
    """Whether the name of the file is that of a picture that can be written."""
    return path.suffix.lower() in SUFFIXES


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, inches; it needs no display."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", dpi=_DOTS_PER_INCH)


def picture_bytes(figure: Figure, path: Path) -> bytes:
    """The file's content, by the suffix of ``path``; the same figure gives the same bytes."""
    from matplotlib import rc_context

    content = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    stamps = {"Date": None} if kind == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "streamgage", "svg.fonttype": "none"}):
        figure.savefig(content, format=kind, metadata=stamps)
    return content.getvalue()


def mark_replayed(figure: Figure) -> None:
    """Write across the whole figure that it shows no measurement of this machine."""
    figure.text(
        0.5,
        0.5,
        "REPLAYED",
        ha="center",
        va="center",
        rotation=18,
        fontsize=76,
        fontweight="bold",
        color=LIMIT,
        alpha=0.12,
        zorder=10,
    )
