"""What the next run of a machine will give."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from store_results import TRIAD, made_summary

from streamgage.analysis.statistics.next_value import next_value
from streamgage.comparison.next_run import chance_of, next_run
from streamgage.store import Store


@pytest.mark.parametrize("apart", [0.003, 0.01, 0.03, 0.1])
@pytest.mark.parametrize("runs", [3, 5, 10, 30])
def test_the_interval_holds_the_next_run(runs: int, apart: float) -> None:
    """With three runs of an odd machine that scatters by 10 %, little can be known."""
    source = Random(51)
    held = 0
    for _ in range(1000):
        rates = [50 * math.exp(source.gauss(0, apart)) for _ in range(runs + 1)]
        found = next_value(rates[:-1])
        assert found is not None
        bounds = found.interval
        held += bounds.low <= rates[-1] <= bounds.high
    assert held / 1000 >= (0.92 if runs >= 10 or apart < 0.1 else 0.84)


def test_fewer_than_three_runs_say_nothing() -> None:
    assert next_value([50.0, 51.0]) is None
    assert next_value([50.0, 51.0, 0.0]) is None


@pytest.mark.parametrize("apart", [0.003, 0.01, 0.025, 0.04])
@pytest.mark.parametrize("runs", [3, 5, 10, 20])
def test_a_value_that_chance_rarely_makes(runs: int, apart: float) -> None:
    """Of machines whose scatter is twice the usual one, a few more are that low."""
    source = Random(52)
    low = 0
    for _ in range(8000):
        rates = [50 * math.exp(source.gauss(0, apart)) for _ in range(runs + 1)]
        found = next_value(rates[:-1])
        low += found is not None and rates[-1] < found.rare
    assert low / 8000 <= (0.001 if apart <= 0.025 else 0.003)


def stored(path: Path, *rates: float, **fields: object) -> Path:
    with Store(path, create=True) as store:
        for number, rate in enumerate(rates):
            made = made_summary(
                started=f"2026-11-{number + 1:02}T12:00:00Z",
                rates=[replace(TRIAD, median_gbps=rate)],
                **fields,
            )
            store.add(made, {"a": f"{rate}{fields}".encode()})
    return path


def test_runs_measured_in_the_same_way_count(tmp_path: Path) -> None:
    path = stored(tmp_path / "store.sqlite", 50.0, 51.0, 49.0)
    stored(path, 20.0, threads=1)
    stored(path, 30.0, trust="not-quotable")
    with Store(path, create=False) as store:
        entries = store.entries(print)
    found = next_run(entries, 3)
    assert found is not None
    assert (found.kernel, found.runs) == ("triad plain", 3)
    assert found.low_gbps < 49
    assert found.high_gbps > 51
    assert str(found).startswith("The next run here: ")
    assert str(found).endswith("GB/s (triad plain, by 3 runs measured in the same way)")
    assert next_run(entries, 4) is None  # the only one with its threads
    assert next_run(entries, 5) is None  # it cannot be relied on
    assert next_run(entries, 99) is None


@pytest.mark.parametrize(
    ("rate", "grade", "said"),
    [
        (50.5, "undecided", "B lies where one more run like A would lie by chance: "),
        (20.0, "sound", "B lies outside of what one more run like A would give: "),
    ],
)
def test_another_run_is_placed_among_those_like_the_first(
    tmp_path: Path, rate: float, grade: str, said: str
) -> None:
    path = stored(tmp_path / "store.sqlite", 50.0, 51.0, 49.0)
    stored(path, rate, threads=1)
    with Store(path, create=False) as store:
        entries = store.entries(print)
    found = chance_of(entries, 1, 4, "B")
    assert found is not None
    assert found.grade == grade and found.text.startswith(said)
    assert "(triad plain, by 3 runs)" in found.text


def test_a_run_does_not_speak_for_itself(tmp_path: Path) -> None:
    path = stored(tmp_path / "store.sqlite", 50.0, 51.0, 20.0)
    with Store(path, create=False) as store:
        entries = store.entries(print)
    assert chance_of(entries, 1, 3, "B") is None  # two others are too few
    stored(path, 50.5)
    with Store(path, create=False) as store:
        found = chance_of(store.entries(print), 1, 3, "B")
    assert found is not None and found.grade == "sound"
