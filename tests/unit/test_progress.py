"""What the bar tells of a run, with the clock in the test's hands."""

from __future__ import annotations

import io

import msgspec
import pytest
from example_records import (
    END,
    KERNELS,
    MACHINE,
    MEMORY,
    PLAN,
    TUNINGS,
    VARIANTS,
    place,
    placement,
    samples_of,
    validation,
)
from rich.console import Console
from rich.progress import Progress

from streamgage.records import Tier
from streamgage.show.bar import Bar
from streamgage.show.progress import Watcher


class DrawnBar:
    """A watcher with a bar that draws into memory."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("time.monotonic", lambda: self.now)
        self.screen = io.StringIO()
        console = Console(file=self.screen, force_terminal=True, width=200)
        self.progress = Progress(console=console, auto_refresh=False)
        self.watcher = Watcher(Bar(self.progress))

    def state(self) -> tuple[str, str]:
        """The phase, and what is said of the time that is left."""
        (task,) = self.progress.tasks
        return task.description, task.fields["left"]

    @property
    def share(self) -> float | None:
        """How much of the bar is full; null while nobody knows."""
        (task,) = self.progress.tasks
        return None if task.total is None else task.completed / task.total


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> DrawnBar:
    return DrawnBar(monkeypatch)


IN_TIERS = msgspec.structs.replace(PLAN, tiers=[Tier(kernels=["triad"])])
"""Its budget is that of the whole run."""
TUNED_PLAN = msgspec.structs.replace(PLAN, tuning_seconds=20.0)


def test_a_run_that_seeks_shapes_tells_of_both_times(bar: DrawnBar) -> None:
    assert bar.state() == ("starting", "")
    seen = []
    for record in (MACHINE, TUNED_PLAN, placement(place(0), place(1))):
        bar.watcher(record)
        seen.append(bar.state())
    assert seen == [
        ("looking at the machine", ""),
        ("looking at the machine", ""),
        ("touching the arrays", ""),
    ]
    assert bar.share is None
    bar.now += 5  # for the first touch, which no budget counts
    bar.watcher(MEMORY)
    assert bar.state() == ("choosing shapes", "at most 53 s left")
    bar.now += 13
    bar.watcher(TUNINGS[0])
    assert bar.state() == ("shape of sum", "at most 40 s left")
    assert bar.share == pytest.approx(13 / 53)
    # The search is over before its time: what is left is the time of the samples, from now on.
    bar.watcher(VARIANTS[0])
    bar.watcher(VARIANTS[1])
    bar.now += 3
    (warmup,) = samples_of(0, [0.01], role="warmup")
    bar.watcher(warmup)
    assert bar.state() == ("warming up", "at most 30 s left")
    bar.now += 10
    bar.watcher(samples_of(0, [0.01] * 3)[2])
    assert bar.state() == ("block 3", "at most 20 s left")
    bar.watcher(validation(0))
    assert bar.state() == ("validating", "")
    bar.watcher(END)
    assert bar.state() == ("done", "")
    assert bar.share == 1


def test_a_run_without_a_search_says_nothing_of_shapes(bar: DrawnBar) -> None:
    for record in (MACHINE, PLAN, placement(place(0)), MEMORY):
        bar.watcher(record)
    assert bar.state() == ("warming up", "at most 33 s left")
    bar.now += 3
    bar.watcher(VARIANTS[0])
    bar.watcher(samples_of(0, [0.01])[0])
    assert bar.state() == ("block 1", "at most 30 s left")


def test_a_search_that_takes_longer_leaves_no_time_below_zero(bar: DrawnBar) -> None:
    for record in (TUNED_PLAN, MEMORY):
        bar.watcher(record)
    bar.now += 1000
    bar.watcher(TUNINGS[1])
    assert bar.state() == ("shape of copy", "")
    assert bar.share == 1


def test_a_figure_is_shown_with_its_interval_as_soon_as_there_is_one(bar: DrawnBar) -> None:
    for record in (MACHINE, IN_TIERS, MEMORY, *KERNELS, *VARIANTS):
        bar.watcher(record)
    for number, sample in enumerate(samples_of(3, [0.010, 0.011, 0.010, 0.009, 0.010, 0.010])):
        bar.now += 1.0
        bar.watcher(sample)
        text, left = bar.state()
        assert text.startswith("triad ") and text.endswith(" GB/s so far")
        assert ("±" in text) == (number >= 5)
        assert left == f"at most {IN_TIERS.sampling.budget_seconds - number - 1:.0f} s left"


def test_samples_are_drawn_at_most_twice_a_second(bar: DrawnBar) -> None:
    for record in (PLAN, MEMORY):
        bar.watcher(record)
    for block, sample in enumerate(samples_of(0, [0.01] * 10)):
        bar.watcher(sample)
        assert bar.state()[0] == f"block {1 if block < 5 else 6}"
        bar.now += 0.1001


def test_a_note_stands_above_the_bar_as_it_is(bar: DrawnBar) -> None:
    bar.watcher.note("The tuning file /a[b]/c is damaged.")
    assert "streamgage: The tuning file /a[b]/c is damaged.\n" in bar.screen.getvalue()


def test_without_a_bar_only_notes_are_seen(capsys: pytest.CaptureFixture[str]) -> None:
    watcher = Watcher(Bar(None))
    for record in (MACHINE, TUNED_PLAN, MEMORY, TUNINGS[0], VARIANTS[0], END):
        watcher(record)
    assert capsys.readouterr() == ("", "")
    watcher.note("Told.")
    assert capsys.readouterr() == ("", "streamgage: Told.\n")
