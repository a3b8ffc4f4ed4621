"""What a word that is not known probably stands for."""

from __future__ import annotations

import pytest

from streamgage.cli.nearest import nearest, with_command, with_commas, with_nearest


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        (
            "there is no kernel 'tirad'; the kernels are copy, triad.",
            "there is no kernel 'tirad'; the kernels are copy, triad. Did you mean triad?",
        ),
        (
            "there is no store mode 'nt'; the store modes are plain, streaming.",
            "there is no store mode 'nt'; the store modes are plain, streaming. Did you mean"
            " streaming?",
        ),
        (
            "--type 'flaot' is not known: use double, float.",
            "--type 'flaot' is not known: use double, float. Did you mean float?",
        ),
        ("there is no kernel 'zzz'; the kernels are copy, triad.", None),
        ("The file 'tirad' cannot be read.", None),
    ],
)
def test_a_sentence_names_the_nearest_word(sentence: str, said: str | None) -> None:
    assert with_nearest(sentence) == (said or sentence)


def test_words_of_other_benchmarks_are_known_where_their_name_is_offered() -> None:
    assert nearest("nontemporal", ["plain", "streaming"]) == "streaming"
    assert nearest("nontemporal", ["plain"]) is None
    assert nearest("memcpy", ["libc", "plain"]) == "libc"


def test_words_behind_the_value_of_an_option_are_separated_by_commas() -> None:
    said = with_commas(
        "Got unexpected extra arguments (copy add)",
        ["measure", "--kernels", "triad", "copy", "add"],
    )
    assert said.endswith("as in --kernels triad,copy,add")
    other = "Got unexpected extra argument (x)"
    assert with_commas(other, ["measure", "x"]) == other


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("study", "program --scaling"),
        ("ruler", "program --ratio"),
        ("repeat", "measure --runs"),
        ("predict", "scale --predict"),
    ],
)
def test_a_word_for_what_a_command_does_names_the_command(word: str, command: str) -> None:
    said = f"No such command '{word}'"
    modes = {"predict": "scale --predict"}
    assert with_command(said, lambda: modes) == f"{said}. Did you mean '{command}'?"


def test_a_command_that_is_near_stays_named() -> None:
    said = "No such command 'progam'. Did you mean 'program'?"
    assert with_command(said, dict) == said
