"""Foreign names and messages: they steer no terminal, and no program that reads what we write."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from example_results import every_kind, ignore
from markdown_it import MarkdownIt

from streamgage.html.markdown import markdown as report
from streamgage.records.plain_text import without_controls
from streamgage.records.reader import decode_lines
from streamgage.results.kinds import kind_of, result_of
from streamgage.results.render import render_result
from streamgage.results.result import Result
from streamgage.show.markdown import escape_markdown
from streamgage.show.output import open_output
from streamgage.show.wrap import say
from streamgage.store.export import as_csv
from streamgage.store.load import load_content

CONTROLS = "\x1b[2J\x1b]0;x\x07\b\r\x7f\x9b\u202e\u2066\u200f\u2028"
MARKUP = "![p](http://example.invalid/p) [l](http://example.invalid) <b>&lt; www.example.invalid"
HOSTILE = f"=1+1{CONTROLS}\n# x\n{MARKUP} `c`"
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
NAMES = ("host", "processor", "label", "compiler", "program", "case")


def _hostile(value: Any, names: Sequence[str], key: str = "") -> Any:  # noqa: ANN401 - of JSON
    if isinstance(value, dict):
        return {name: _hostile(each, names, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_hostile(each, names, key) for each in value]
    return HOSTILE if isinstance(value, str) and key in names else value


def _html(text: str) -> str:
    return str(MarkdownIt("commonmark").enable("table").render(text)).strip()


def hostile_kinds() -> list[Result[Any]]:
    """A result of every kind whose names are hostile, read from a file."""
    found = []
    for each in every_kind():
        document = msgspec.json.decode(msgspec.json.encode(each.document))
        # A node of a fleet has a name that a launcher takes, or is refused.
        names = NAMES[1:] if each.kind.name in ("fleet", "check") else NAMES
        content = json.dumps(_hostile(document, names)).encode()
        found.append(load_content(content, each.name, "result.json", ignore))
    return found


def test_no_format_steers_the_terminal(tmp_path: Path) -> None:
    for each in hostile_kinds():
        for form in kind_of(each.document).formats:
            if form == "stream":
                continue  # which has no names
            with open_output(tmp_path / "out", quiet=True) as out:
                out.write(render_result(each, form))
            text = (tmp_path / "out").read_text("utf-8")
            assert not STEERS.search(text), (each.name, form)
            if form in ("latex", "dat"):  # comments, in which a line of the name would be none
                assert "\n# x" not in text.replace("\n# x86", ""), (each.name, form)


def test_markdown_shows_links_and_pictures_as_text() -> None:
    results = hostile_kinds()
    for text in (
        report(results),
        *(render_result(result_of(e.document), "markdown") for e in results),
    ):
        html = _html(text)
        assert not re.search(r"<(a|img|b)\b", html)
        assert "http://" not in text  # else a page of GitHub makes it a link by itself
        assert "www.e" not in text


@pytest.mark.parametrize(
    "text", ["# h", "- item", "+ item", "1. item", "=====", "~~~", "---", "[x]: http://a", "a\n# h"]
)
def test_no_text_starts_a_block_of_markdown(text: str) -> None:
    assert re.fullmatch(r"<p>.*</p>", _html(escape_markdown(text)))


@pytest.mark.parametrize(
    "text", ["-5 %", "a [95 %] b", "x: y", "14:05", "R&D", "1.5", "3) is a list"]
)
def test_markdown_shows_text_as_it_stands(text: str) -> None:
    html = _html(escape_markdown(text)).replace("&amp;", "&")
    assert html == f"<p>{text.strip()}</p>"


def test_csv_is_read_back_and_computes_nothing() -> None:
    texts = ["=1+1", "@SUM(A1)", "+cmd", "-cmd", " =1", "a\rb", "a\nb", 'a"b', "a,b"]
    rows = csv.reader(
        io.StringIO(as_csv(["text"], [[each] for each in texts]).decode(), newline="")
    )
    found = [row[0] for row in rows][1:]
    assert found == [*(f"'{each}" for each in texts[:5]), "a\ufffdb", *texts[6:]]
    kept = ["-5.3", "+1", "- none", "-", "a=b", "0-3"]
    assert as_csv(["text"], [[each] for each in kept]).decode().split("\n")[1:-1] == kept


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb'"a\rb\bc\fd"', "a\ufffdb\ufffdc\ufffdd"),
        (rb'"\u001b[2J\u202E"', "\ufffd[2J\ufffd"),
        ('"\u202e\u2066\x9b\x7f"'.encode(), "\ufffd" * 4),
        (rb'"C:\\run\\u0007\\b"', r"C:\run\u0007\b"),  # escaped backslashes, and no escapes
        (rb'"\\\r"', "\\\ufffd"),
        (rb'"a\n\tb\u00e9"', "a\n\tb\u00e9"),
    ],
)
def test_json_loses_its_controls_alone(written: bytes, read: str) -> None:
    assert json.loads(without_controls(written)) == read


def test_what_a_kernel_says_is_cleaned_as_it_comes() -> None:
    known = next(
        each for each in every_kind() if each.kind.name == "measure" and each.records is not None
    )
    machine = msgspec.json.encode(known.run.machine).decode()  # type: ignore[union-attr]
    value = json.loads(machine) | {"host": f"node{CONTROLS}"}
    (record,) = decode_lines([json.dumps(value).encode() + b"\n"], ignore)
    assert not STEERS.search(record.host)  # type: ignore[union-attr]


def test_a_sentence_with_a_file_name_steers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"run{CONTROLS} cannot be read.")
    assert not STEERS.search(capsys.readouterr().err.rstrip("\n"))


def test_a_long_value_is_shown_in_part(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"--label '{'x' * 100_000}' is too long.")
    said = capsys.readouterr().err
    assert len(said) < 400
    assert said.startswith("streamgage: --label 'xxxx")
    assert said.endswith("xxx' is too long.\n")


def test_json_keeps_every_letter() -> None:
    for each in hostile_kinds():
        text = render_result(result_of(each.document), "json")
        assert json.loads(text) == json.loads(
            msgspec.json.encode(kind_of(each.document).printed(each.document))
        )
