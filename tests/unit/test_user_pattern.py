"""Regular expressions that users give are compiled, or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgage as sg
from streamgage.analysis.user_pattern import UserPattern

BAD = ("(", "[", "*", "a{4294967295}", "(" * 5000 + ")" * 5000, "(?P<a>x)(?P=b)", "\\8", "(?z)")
ENDLESS = "((?:a|aa)+)$"
LINE = "a" * 200 + "!"


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:8])
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(sg.UsageError, match=r"--rate .* is not a regular expression .*: give one"):
        UserPattern("--rate", text, "'([0-9.]+ GB/s)'")


@pytest.mark.parametrize("option", ["time_regex", "check_regex", "rate"])
def test_no_option_of_a_program_lets_another_error_through(option: str) -> None:
    for text in BAD:
        with pytest.raises(sg.UsageError, match="is not a regular expression"):
            sg.program("true", **{option: text}, store=None)  # type: ignore[call-overload]


def test_no_pattern_of_rates_lets_another_error_through() -> None:
    for text in BAD:
        with pytest.raises(sg.UsageError, match="is not a regular expression"):
            sg.traffic("true", bytes_per_second_from=text)


def test_an_expression_without_end_is_ended_once_for_all_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("streamgage.analysis.user_pattern._MOST_SECONDS", 0.01)
    pattern = UserPattern("--rate", ENDLESS, "'([0-9.]+ GB/s)'")
    for text in (LINE, "a"):
        with pytest.raises(sg.UsageError, match=r"--rate .* takes too long to match"):
            pattern.matches(text)


def test_a_program_is_watched_to_its_end_by_an_expression_without_end(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("streamgage.analysis.user_pattern._MOST_SECONDS", 0.01)
    command = ["sh", "-c", f"echo {LINE}; echo {LINE}; touch ended"]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sg.UsageError, match="takes too long to match"):
        sg.traffic(command, bytes_per_second_from=ENDLESS)
    assert (tmp_path / "ended").exists()
