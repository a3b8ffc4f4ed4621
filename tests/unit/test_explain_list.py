"""``streamgage explain`` without words: a line on each page, or the names that fit a terminal."""

from __future__ import annotations

import pytest

from streamgage.commands.explain import _every_page
from streamgage.explanations import codes, summary, terms
from streamgage.show.brief import BELOW


def test_a_file_or_pipe_gets_a_line_on_every_page() -> None:
    text = " ".join(_every_page(80, None).split())
    for name in (*codes(), *terms()):
        assert f"{name} {' '.join(summary(name).split())}" in text


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("height", [24, 50])
def test_a_terminal_gets_the_names_that_fit(width: int, height: int) -> None:
    text = _every_page(width, height)
    assert text.count("\n") < height - BELOW
    assert max(map(len, text.splitlines())) <= width
    words = set(text.replace(",", " ").split())
    assert set(terms()) <= words
    assert (set(codes()) <= words) == (height == 50)
