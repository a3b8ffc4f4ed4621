"""``--format json``: the result as one document, described by ``schema/result.schema.json``."""

from __future__ import annotations

import msgspec

from streamgage.results.measure.judge import Answer


def render(answer: Answer) -> str:
    """The document, indented, with a newline at its end."""
    return document(answer.result)


def document(content: msgspec.Struct) -> str:
    """Any document, indented, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode() + "\n"
