"""Text is wrapped for who reads it, and sentences stay whole for programs."""

from __future__ import annotations

import io

import pytest

from streamgage.show.wrap import hanging, say, width_of, with_program_name, wrapped

SENTENCE = "The memory of this machine is busy, so measure again when nothing else runs on it."


class TerminalOfText(io.StringIO):
    """A stderr that somebody looks at."""

    def isatty(self) -> bool:
        return True


def test_a_width_that_is_unknown_is_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert width_of(io.StringIO()) == 80
    assert width_of(None) == 80


@pytest.mark.parametrize(
    ("columns", "width"),
    [("60", 60), ("300", 100), ("5", 20), ("0", 80), ("-3", 80), ("", 80), ("wide", 80)],
)
def test_columns_says_the_width(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert width_of(io.StringIO()) == width


def test_a_sentence_is_wrapped_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    stderr = TerminalOfText()
    monkeypatch.setattr("sys.stderr", stderr)
    say(SENTENCE)
    lines = stderr.getvalue().splitlines()
    assert len(lines) > 1 and all(len(line) <= 40 for line in lines)
    assert lines[0].startswith("streamgage: ") and lines[1].startswith("  ")
    assert " ".join(line.strip() for line in lines) == f"streamgage: {SENTENCE}"


def test_a_sentence_stays_on_one_line_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert with_program_name(SENTENCE) == f"streamgage: {SENTENCE}"


def test_a_program_without_stderr_says_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr", None)
    say(SENTENCE)
    assert capsys.readouterr().out == ""


def test_paragraphs_and_items_are_filled_and_headings_kept() -> None:
    page = "# name\n\none two\nthree four\n\n- first item\n  goes on here\n- second\n"
    assert wrapped(page, 16) == (
        "# name\n\none two three\nfour\n\n- first item\n  goes on here\n- second\n"
    )
    assert wrapped(page, 80) == (
        "# name\n\none two three four\n\n- first item goes on here\n- second\n"
    )


def test_quoted_output_is_filled_and_code_is_kept() -> None:
    assert wrapped("```\none two\nthree\n```\n", 80) == "```\none two three\n```\n"
    code = "```sh\none two three four\nfive\n```\n"
    assert wrapped(code, 10) == code


def test_a_long_word_is_not_broken() -> None:
    name = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    assert name in wrapped(f"see {name}\n", 20).splitlines()


def test_text_hangs_to_the_right_of_its_lead() -> None:
    assert hanging("lead  ", "one two three", 14) == "lead  one two\n      three"


def test_a_link_to_another_page_leaves_its_words() -> None:
    assert wrapped("See [steal](steal.md), [here](https://example.org/a).\n", 80) == (
        "See steal, [here](https://example.org/a).\n"
    )
