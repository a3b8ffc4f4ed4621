"""The README in a wheel: an index has none of the files, so links need whole addresses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from readme_for_index import dynamic_metadata, readme_for_index

ROOT = Path(__file__).parents[2]
SOURCE = "https://example.org/project"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[a page](docs/a.md)", f"[a page]({SOURCE}/blob/v1.2/docs/a.md)"),
        ("[a part](docs/a.md#part)", f"[a part]({SOURCE}/blob/v1.2/docs/a.md#part)"),
        ("![a\nplot](docs/a.svg)", f"![a\nplot]({SOURCE}/raw/v1.2/docs/a.svg)"),
        ("[there](https://example.net)", "[there](https://example.net)"),
        ("[write](mailto:a@example.net)", "[write](mailto:a@example.net)"),
        ("[below](#below)", "[below](#below)"),
        ("```c\na[i](x)\n```", "```c\na[i](x)\n```"),
    ],
)
def test_only_links_to_files_become_absolute(text: str, shown: str) -> None:
    assert readme_for_index(text, SOURCE, "1.2") == shown


def test_no_link_of_the_readme_stays_relative() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    readme = dynamic_metadata("readme", {}, about)
    assert readme["content-type"] == "text/markdown"
    targets = re.findall(r"\]\(([^)]+)\)", readme["text"])
    assert any("/raw/" in target for target in targets)
    assert [target for target in targets if not target.startswith(("https://", "#"))] == []
    of_files = [target for target in targets if target.startswith(about["urls"]["Source"])]
    for target in of_files:
        path = re.sub(r"^.*?/(blob|raw)/v[^/]+/|#.*$", "", target)
        assert (ROOT / path).exists(), target


def test_only_the_readme_is_provided() -> None:
    with pytest.raises(ValueError, match="version"):
        dynamic_metadata("version")
