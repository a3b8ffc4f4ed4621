"""CITATION.cff and SECURITY.md say what the project and the program say."""

from __future__ import annotations

import re
import tomllib

import yaml
from programs import REPOSITORY

from streamgage.cli.program import command_names
from streamgage.manual import commands

ABOUT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_citation_is_of_this_project() -> None:
    """The fields are those that the format asks for; the version is only in pyproject.toml."""
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert "version" not in citation
    assert citation["title"].startswith(f"{ABOUT['name']}: ")
    assert citation["license"] == ABOUT["license"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in ABOUT["authors"]
    ]


def test_what_runs_code_is_named_as_the_program_names_it() -> None:
    text = (REPOSITORY / "SECURITY.md").read_text("utf-8")
    options = {name for page in commands.pages() for each in page.options for name in each.names}
    for words in map(str.split, re.findall(r"`([^`]+)`", text)):
        known = words[0] in ("streamgage", *options) or " ".join(words[:2]) in command_names()
        assert known or words[0] in command_names(), words
        assert {word for word in words if word.startswith("-")} <= options, words


def test_every_option_that_runs_given_code_is_in_the_security_page() -> None:
    text = (REPOSITORY / "SECURITY.md").read_text("utf-8")
    for page in commands.pages():
        name = page.name.removeprefix("streamgage ")
        if any("CMD" in argument.names[0] for argument in page.arguments):
            assert f"`{name}`" in text, name
        for option in page.options:
            if option.names[0] in ("--kernel-file", "--cc", "--openmp"):
                assert f"`{option.names[0]}`" in text, option.names[0]
