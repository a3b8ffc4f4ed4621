"""Gives the build the README as an index shows it, where a link to a file needs the whole address.

The address is that of the source in ``project.urls``, at the tag of this version.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
_LINK = re.compile(r"(?P<picture>!?)(?P<text>\[[^\]]*\])\((?P<target>[^)\s]+)\)")


def readme_for_index(text: str, source: str, version: str) -> str:
    """Make the links to files absolute; leave others, and code between fences, as they are."""

    def absolute(link: re.Match[str]) -> str:
        target = link["target"]
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        view = "raw" if link["picture"] else "blob"
        return f"{link['picture']}{link['text']}({source}/{view}/v{version}/{target})"

    blocks = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
    return "".join(
        block if block.startswith("```") else _LINK.sub(absolute, block) for block in blocks
    )


def dynamic_metadata(field: str, *_: object) -> dict[str, str]:
    """Answer scikit-build-core, which asks for ``readme``."""
    if field != "readme":
        raise ValueError(f"{field} is in pyproject.toml")
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = (ROOT / "README.md").read_text("utf-8")
    return {
        "content-type": "text/markdown",
        "text": readme_for_index(text, about["urls"]["Source"], about["version"]),
    }
