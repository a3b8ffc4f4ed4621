"""Lists of placements, of which one may have commas in it."""

from __future__ import annotations

from streamgage.errors import UsageError


def placement_names(text: str, option: str) -> list[str]:
    """Placements of ``none,cores,S0:0-3``, or of ``none;0-3,8`` where one has commas in it.

    Raises ``UsageError``, naming ``option``, where there is none, an empty one, or one twice.
    """
    names = [name.strip() for name in text.split(";" if ";" in text else ",")]
    if not all(names):
        raise UsageError(
            f"{option} {text!r} has an empty one: write them with commas between, such as"
            " none,cores, or with semicolons where one has commas in it, such as 'none;0,2'."
        )
    if len(set(names)) < len(names):
        raise UsageError(f"{option} {text!r} names one twice: name each once.")
    return names
