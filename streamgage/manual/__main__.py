"""Writes the pages for ``man`` into a folder: ``python -m streamgage.manual FOLDER``."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from streamgage.manual import commands, engine, roff
from streamgage.manual.page import Page

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
"""The project file of the source folder, from which the pages are written."""


def documents() -> dict[str, str]:
    """Return the text of each page by the name of its file."""
    version = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["version"]
    pages = (*commands.pages(), engine.page())
    return {
        f"{page.title}.{roff.SECTION}": roff.render(page, version, _others(page, pages))
        for page in pages
    }


def _others(page: Page, pages: tuple[Page, ...]) -> list[str]:
    """Return the pages to refer to: from a command the program, from the program all commands."""
    program = pages[0]
    if page is program:
        return [each.title for each in pages[1:]]
    return [program.title, *([pages[-1].title] if page is not pages[-1] else [])]


def write(folder: Path) -> None:
    """Write all pages into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents().items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
