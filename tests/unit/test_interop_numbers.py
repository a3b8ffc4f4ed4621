"""How well a printed number is known."""

from __future__ import annotations

import pytest

from streamgage.interop.numbers import rounding


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("200", 0.5 / 200),
        ("0.0125", 0.00005 / 0.0125),
        ("1.5D+02", 0.05 / 1.5),
        ("2e-300", 0.25),
        ("0.5e308", 0.1),
        ("0e999", 1.0),
        ("1e999", 1.0),
        ("-3", 1.0),
        ("nan", 1.0),
    ],
)
def test_half_a_unit_of_the_last_digit_is_the_rounding(text: str, share: float) -> None:
    assert rounding(text) == pytest.approx(share)
