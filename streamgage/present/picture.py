"""Pictures: figures of matplotlib as the bytes of a file."""

from __future__ import annotations

import io
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS_PER_INCH = 144


class PictureFormat(StrEnum):
    """Kinds of pictures, by the end of the file's name."""

    SVG = "svg"
    PNG = "png"


def encode(figure: Figure, form: PictureFormat) -> bytes:
    """The file's content; the same figure gives the same bytes. Text in SVG stays text."""
    import matplotlib as mpl

    content = io.BytesIO()
    metadata = {"Date": None} if form is PictureFormat.SVG else {}
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "streamgage"}):
        figure.savefig(content, format=form.value, dpi=_DOTS_PER_INCH, metadata=metadata)
    return content.getvalue()
