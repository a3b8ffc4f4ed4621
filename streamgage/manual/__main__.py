"""Writes the pages for ``man``, or compares them."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from streamgage.manual import commands, engine, roff
from streamgage.manual.page import Page

FOLDER = Path("man")
"""In the source folder, where this module is to be run."""
PROJECT = Path("pyproject.toml")


def documents(project: Path = PROJECT) -> dict[str, str]:
    """Name of each file in ``man/`` and the text that belongs in it."""
    version = tomllib.loads(project.read_text("utf-8"))["project"]["version"]
    pages = (*commands.pages(), engine.page())
    return {
        f"{page.title}.{roff.SECTION}": roff.render(page, version, _others(page, pages))
        for page in pages
    }


def _others(page: Page, pages: tuple[Page, ...]) -> list[str]:
    """The program for its commands, all for the program."""
    program = pages[0]
    if page is program:
        return [each.title for each in pages[1:]]
    return [program.title, *([pages[-1].title] if page is not pages[-1] else [])]


def stale(folder: Path = FOLDER, project: Path = PROJECT) -> list[str]:
    """Names of the files in ``folder`` that are missing, left over, or not what they should be."""
    wanted = documents(project)
    there = {path.name: path.read_text("utf-8") for path in folder.glob("*.*")}
    return sorted(name for name in wanted | there if wanted.get(name) != there.get(name))


def write(folder: Path = FOLDER, project: Path = PROJECT) -> None:
    """Write all pages into ``folder``, and remove those that are left over."""
    folder.mkdir(exist_ok=True)
    wanted = documents(project)
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")
    for path in folder.glob("*.*"):
        if path.name not in wanted:
            path.unlink()


def main(arguments: list[str]) -> int:
    """Write the pages, or with ``--check`` compare them; the exit status."""
    if arguments == ["--check"]:
        old = stale()
        for name in old:
            print(f"man/{name} is out of date: run python -m streamgage.manual", file=sys.stderr)
        return 1 if old else 0
    if arguments:
        print("streamgage.manual: the only option is --check", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
