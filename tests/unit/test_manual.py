"""The manual says what the program has, and ``man`` shows it without a complaint."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import REPOSITORY, streamgage

from streamgage.cli.program import command_names, module_of
from streamgage.manual import commands, engine, markdown, roff, schema_page
from streamgage.manual.page import Option, Page

PAGES = commands.pages()
TITLES = [f"{page.title}.1" for page in PAGES] + ["streamgage-engine.1"]
HELP = """Does something.
Usage: engine [OPTIONS]

Options:
  -h,--help                   Print this and exit

Something else:
  --plan FILE|-               Read the plan from
                              a file
  --stores A,B                Kinds of store
  --check Excludes: --stores --plan Look at one thing
  --expect K=GB/s[,-%] ... Needs: --check Excludes: --stores
                              A figure
  --interval S Needs: --traffic
                              Seconds of each interval

Examples:
  engine --plan x
      Follow it.
"""


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_examples_that_call_it(name: str) -> None:
    examples = getattr(module_of(name), "EXAMPLES", ())
    assert len(examples) >= 2, f"give {module_of(name).__name__} its EXAMPLES"
    for line, does in examples:
        assert f"streamgage {name}" in line
        assert does.endswith(".") and len(does) <= 75
        assert len(line) <= 75, "it must fit into the help"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as the build writes them."""
    made = tmp_path_factory.mktemp("manual") / "man"
    subprocess.run([sys.executable, "-m", "streamgage.manual", made], cwd=REPOSITORY, check=True)
    return made


def test_every_program_and_command_has_a_page(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == set(TITLES)


@pytest.mark.parametrize("title", TITLES)
def test_man_shows_a_page_without_a_warning(folder: Path, title: str) -> None:
    command = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", str(folder / title)]
    variables = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": ""}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    plain = re.sub(".\b", "", done.stdout)  # bold is struck over
    assert "EXIT STATUS" in plain and "OPTIONS" in plain


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: str(page.name))
def test_a_page_has_every_option_of_its_command(page: Page, tmp_path: Path) -> None:
    words = page.name.split()[1:]
    done = streamgage(*words, "--help-all", folder=tmp_path, COLUMNS="200")
    assert done.returncode == 0, done.stderr
    shown = done.stdout
    listed = shown.partition("\nOptions:\n")[2].partition("\nExamples:\n")[0]
    starts = [line.split("  ")[1] for line in listed.splitlines() if line.startswith("  -")]
    flags = {each for start in starts for each in start.replace("/", ",").split() if each[0] == "-"}
    assert {flag.rstrip(",") for flag in flags} == {
        name for option in page.options for name in option.names
    }
    for line, does in page.examples:
        assert line in shown and does in shown


def test_the_programs_page_lists_every_command_and_what_they_share() -> None:
    program = PAGES[0]
    assert [name for name, _ in program.commands] == [
        f"streamgage {name}" for name in command_names()
    ]
    assert "STREAMGAGE_LOCK" in program.variables
    text = roff.render(program, "1.2.3", ["streamgage-pin"])
    assert '"streamgage 1.2.3"' in text and ".BR streamgage\\-pin (1)" in text


def test_the_engines_page_is_read_from_its_help() -> None:
    page = engine.parse(HELP)
    assert page.summary == "Does something."
    assert page.options == (
        Option(("-h", "--help"), "Print this and exit."),
        Option(("--plan",), "Read the plan from a file.", "FILE|-"),
        Option(("--stores",), "Kinds of store.", "A,B"),
        Option(("--check",), "Look at one thing. Not with --stores, --plan."),
        Option(("--expect",), "A figure. Needs --check. Not with --stores.", "K=GB/s[,-%] ..."),
        Option(("--interval",), "Seconds of each interval. Needs --traffic.", "S"),
    )
    assert page.examples == (("engine --plan x", "Follow it."),)


def test_nothing_in_a_text_is_taken_for_roff_or_markdown() -> None:
    page = Page("x y", "Do it.", "[A]", (Option(("A",), ".sp \\fB it's | *this* <b>"),))
    text = roff.render(page, "1")
    assert "\\&.sp \\efB it's | *this* <b>" in text
    assert "| .sp \\\\fB it's \\| \\*this\\* \\<b\\> |" in markdown.render(page)
    assert "<code>a&#124;b</code>" in markdown.render(
        Page("x", "X.", "", (), (Option(("a|b",), "Text."),))
    )


def test_a_document_is_told_with_what_the_sources_say_of_its_fields(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text(
        'class Base:\n    a: int\n    """Of all."""\n\n\nclass Kind(Base):\n    b: str = ""\n'
        '    """What ``b`` is,\n    in two lines."""\n\n\nclass Other:\n    pass\n'
    )
    schema = {
        "title": "A thing",
        "$ref": "#/$defs/Kind",
        "$defs": {
            "Kind": {
                "description": "A kind.",
                "properties": {
                    "a": {"type": "integer", "minimum": 1},
                    "b": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                    "c": {"type": "array", "items": {"$ref": "#/$defs/Kind"}},
                    "d": {"$ref": "shared.schema.json#/$defs/Other"},
                },
                "required": ["a", "c"],
            }
        },
    }
    text = schema_page.render("thing", schema, schema_page.texts_of(tmp_path))
    assert "| `a` | integer from 1 | Of all. |" in text
    assert "| `b` | string or null | What `b` is, in two lines. Default: `null`. |" in text
    assert "| `c` | list of [Kind](#kind) |  |" in text
    assert "| `d` | [Other](shared.md#other) |" in text
