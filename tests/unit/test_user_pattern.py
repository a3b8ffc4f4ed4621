"""Regular expressions that users give are compiled, or refused with a sentence."""

from __future__ import annotations

import pytest

import streamgage as sg
from streamgage.analysis.user_pattern import user_pattern

BAD = ("(", "[", "*", "a{4294967295}", "(" * 5000 + ")" * 5000, "(?P<a>x)(?P=b)", "\\8", "(?z)")


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:8])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(sg.UsageError, match=r"--rate .* is not a regular expression .*: give one"):
        user_pattern("--rate", text, "'([0-9.]+ GB/s)'")


@pytest.mark.parametrize("option", ["time_regex", "check_regex", "rate"])
def test_no_option_of_a_program_lets_another_error_through(option: str) -> None:
    for text in BAD:
        with pytest.raises(sg.UsageError, match="is not a regular expression"):
            sg.program("true", **{option: text}, store=None)  # type: ignore[arg-type]


def test_no_pattern_of_rates_lets_another_error_through() -> None:
    for text in BAD:
        with pytest.raises(sg.UsageError, match="is not a regular expression"):
            sg.traffic("true", bytes_per_second_from=text)
