"""The option ``--label``, by which the user names a result."""

from __future__ import annotations

from typing import Annotated, TypedDict

from streamgage.errors import UsageError
from streamgage.options.declaration import Form

_MOST = 100
"""Characters."""


class LabelOptions(TypedDict, total=False):
    """The option for the name of a result.

    Args:
        label: Name of the result in history, compare, reports and JSON.
    """

    label: Annotated[str | None, Form("TEXT")]


def label_in(options: LabelOptions) -> str | None:
    """Return the label. Raises ``UsageError`` if it is empty, too long, or not one line."""
    text = options["label"]
    if text is None:
        return None
    label = text.strip()
    if not label or not label.isprintable() or len(label) > _MOST:
        raise UsageError(
            f"--label {text[:_MOST]!r} is not a label: write one line of at most {_MOST}"
            " characters, such as 'after the BIOS update'."
        )
    return label
