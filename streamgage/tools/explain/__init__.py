"""What each finding means: a page a code, ``CODE.md`` next to this file (``docs/findings``)."""

from __future__ import annotations

from importlib.resources import files


def codes() -> list[str]:
    """The codes that have a page, in alphabetical order."""
    names = (page.name for page in files(__package__).iterdir())
    return sorted(name.removesuffix(".md") for name in names if name.endswith(".md"))


def page(code: str) -> str:
    """The page of a code. Raises ``KeyError`` where there is none."""
    if code not in codes():
        raise KeyError(code)
    return (files(__package__) / f"{code}.md").read_text("utf-8")


def summary(code: str) -> str:
    """The first sentence of a page. Raises ``KeyError`` where there is none."""
    return page(code).split("\n\n")[1].strip()
