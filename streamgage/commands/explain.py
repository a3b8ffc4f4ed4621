"""What a finding means."""

from __future__ import annotations

from typing import Annotated

from streamgage.api.declaration import Form, command
from streamgage.errors import UsageError
from streamgage.tools.explain import codes, page, summary

_MOST_CHARACTERS = 40
EXAMPLES = (
    ("streamgage explain", "Every code of a finding, with a line on it."),
    ("streamgage explain write-allocate", "What was seen, why it matters, what to do."),
)


@command()
def explain(code: Annotated[str | None, Form("CODE", words=tuple(codes()))] = None) -> int:
    """Explain a finding: what was seen, why it matters, what to do.

    Args:
        code: Code of a finding; default: list them.
    """
    known = codes()
    if code is None:
        widest = max(len(name) for name in known)
        print("\n".join(f"{name:<{widest}}  {summary(name)}" for name in known))
        return 0
    if code not in known:
        shown = code if len(code) <= _MOST_CHARACTERS else code[:_MOST_CHARACTERS] + "..."
        raise UsageError(f"{shown!r} is not the code of a finding: use {', '.join(known)}.")
    print(page(code), end="")
    return 0
