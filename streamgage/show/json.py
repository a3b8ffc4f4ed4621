"""``--format json``: the result as one document."""

from __future__ import annotations

import msgspec


def document(content: msgspec.Struct) -> str:
    """Any document, indented, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
