"""The look before a measurement: what keeps the machine busy, how it is said, and the wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from example_environments import ACTIVITY, changed
from example_records import as_lines
from programs import misbehaving_engine

from streamgage.errors import StreamgageError, UsageError
from streamgage.measurement.look import Look, look, look_of, wait_until_idle, warn_if_busy
from streamgage.process import other_programs
from streamgage.process.engine import EngineError
from streamgage.process.other_programs import BusyProgram, SystemActivity, watch_programs
from streamgage.records import Activity
from streamgage.units import format_duration, parse_duration

COMPILER = BusyProgram(4711, "cc1plus", 0.9)
PYTHON = BusyProgram(88, "python3", 0.38)
ENGINE = BusyProgram(50, "streamgage-engine", 1.3)
WRITERS = tuple(BusyProgram(each, "tar", 0.2) for each in range(5))
STRESS = BusyProgram(7, "stress-ng", 0.1)


def activity(other: float, steal: float = 0.0) -> Activity:
    """CPU-seconds that others had in a second of two CPUs."""
    found = changed(ACTIVITY, other_seconds=other, steal_seconds=steal)
    assert isinstance(found, Activity)
    return found


def seen(*programs: BusyProgram, other: float, steal: float = 0.0) -> Look:
    return look_of(SystemActivity(activity(other, steal), programs), locked=True)


BUSY = seen(COMPILER, PYTHON, other=1.28)
IDLE = seen(other=0.01)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            BUSY,
            "Other programs use 64 % of the CPUs: cc1plus (pid 4711), python3 (pid 88). The figures"
            " will suffer; stop them, or add --wait-idle 5m.",
        ),
        (
            seen(*WRITERS, other=1.0),
            "Other programs use 50 % of the CPUs: tar (pid 0), tar (pid 1), tar (pid 2) and 2 more."
            " The figures will suffer; stop them, or add --wait-idle 5m.",
        ),
        (
            seen(other=1.0),
            "Other programs use 50 % of the CPUs. The figures will suffer; stop them, or add"
            " --wait-idle 5m.",
        ),
        (
            seen(other=0.0, steal=0.5),
            "The hypervisor takes 25 % of the CPUs for others. The figures will suffer; measure at"
            " a quieter time, or add --wait-idle 5m.",
        ),
        (
            seen(STRESS, COMPILER, other=0.05),
            "Other programs use the memory: stress-ng (pid 7). The figures will suffer; stop them,"
            " or add --wait-idle 5m.",
        ),
        (
            seen(COMPILER, other=0.9, steal=0.2),
            "Other programs use 45 % of the CPUs: cc1plus (pid 4711) and the hypervisor takes 10 %"
            " of the CPUs for others. The figures will suffer; stop them, or add --wait-idle 5m.",
        ),
    ],
)
def test_a_busy_machine_is_told_with_what_keeps_it_busy(found: Look, said: str) -> None:
    notes: list[str] = []
    assert warn_if_busy(notes.append, lambda: found)
    assert notes == [said]


@pytest.mark.parametrize("found", [IDLE, seen(COMPILER, other=0.09), seen(other=-0.02), None])
def test_of_an_idle_machine_and_of_one_that_hides_nothing_is_said(found: Look | None) -> None:
    notes: list[str] = []
    assert not warn_if_busy(notes.append, lambda: found)
    assert notes == []


def test_half_of_a_cpu_of_many_is_much() -> None:
    large = changed(ACTIVITY, other_seconds=0.6, cpus="0-63")
    assert look_of(SystemActivity(large, ()), locked=True).busy


def test_another_measurement_is_waited_for_by_the_engine_and_is_no_load() -> None:
    both = SystemActivity(activity(1.3), (), (ENGINE,))
    assert not look_of(both, locked=True).busy
    without_lock = look_of(both, locked=False)
    assert without_lock.busy and without_lock.programs == (ENGINE,)
    with_lock = look_of(SystemActivity(activity(2.0), (COMPILER,), (ENGINE,)), locked=True)
    assert with_lock.other.share == pytest.approx(0.35)
    assert with_lock.programs == (COMPILER,)


class Clock:
    """Seconds that pass with every look."""

    def __init__(self, *looks: Look | None, step: float = 1.0) -> None:
        """See these one after the other, the last one for ever."""
        self.now = 0.0
        self._step = step
        self._looks = self._each(looks)

    @staticmethod
    def _each(looks: tuple[Look | None, ...]) -> Iterator[Look | None]:
        yield from looks
        while True:
            yield looks[-1]

    def look(self) -> Look | None:
        self.now += self._step
        return next(self._looks)

    def waited(self, most: float = 60.0) -> list[str]:
        """What is said while it is waited."""
        notes: list[str] = []
        wait_until_idle(most, notes.append, self.look, lambda: self.now)
        return notes


WAITING = (
    "Waiting for an idle machine: other programs use 64 % of the CPUs: cc1plus (pid 4711), python3"
    " (pid 88)."
)


def test_an_idle_machine_is_not_waited_for() -> None:
    clock = Clock(IDLE)
    assert clock.waited() == []
    assert clock.now == 1.0


def test_what_is_waited_for_is_said_once_and_the_end_of_it() -> None:
    assert Clock(*[BUSY] * 20, IDLE).waited() == [WAITING, "The machine is idle after 23 s."]


def test_a_pause_of_what_is_waited_for_is_not_the_end_of_it() -> None:
    clock = Clock(BUSY, IDLE, IDLE, BUSY, IDLE)
    assert clock.waited() == [WAITING, "The machine is idle after 7 s."]


def test_the_time_of_a_wait_is_shown_and_how_long_it_may_last() -> None:
    clock = Clock(BUSY, BUSY, IDLE, IDLE)
    shown: list[tuple[str, float, float]] = []
    wait_until_idle(
        300.0, lambda _: None, clock.look, lambda: clock.now, lambda *each: shown.append(each)
    )
    assert [what for what, _, _ in shown] == ["waiting for idle CPUs"] * len(shown)
    assert [seconds for _, seconds, _ in shown] == sorted(seconds for _, seconds, _ in shown)
    assert shown[0][1:] == (0.0, 300.0) and shown[-1][1] > 1


def test_what_is_waited_for_is_said_again_when_it_changes_but_not_every_second() -> None:
    other = seen(BusyProgram(9, "tar", 1.0), other=1.0)
    again = seen(BusyProgram(5000, "cc1plus", 0.9), PYTHON, other=1.28)
    changing = [each for _ in range(10) for each in (BUSY, other)]
    notes = Clock(*changing, IDLE).waited()
    assert notes[0] == WAITING
    assert notes[1].startswith("Still waiting for an idle machine: other programs use 50 %")
    assert len(notes) == 3
    assert Clock(*[BUSY, again] * 10, IDLE).waited()[1:] == ["The machine is idle after 23 s."]


def test_a_machine_that_stays_busy_is_given_up_in_one_sentence() -> None:
    with pytest.raises(StreamgageError) as raised:
        Clock(BUSY).waited(most=300.0)
    assert str(raised.value) == (
        "The machine did not become idle within 5 min, and nothing was measured: other programs use"
        " 64 % of the CPUs: cc1plus (pid 4711), python3 (pid 88). Stop them, or give --wait-idle a"
        " longer time."
    )
    assert raised.value.exit_status == 1


def test_where_nobody_can_look_nobody_waits() -> None:
    assert Clock(None).waited() == [
        "This system does not show whether the machine is idle: measuring without a wait."
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("5m", 300), ("5 min", 300), ("1h", 3600), ("1.5h", 5400), ("90", 90)],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert parse_duration(text, "--wait-idle") == seconds


@pytest.mark.parametrize(
    "text", ["", "0", "0s", "-5m", "5 parsecs", "8d", "200h", "nan", "1e3", "٣s"]
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--wait-idle .* give one such as 30s, 5m or 1h"):
        parse_duration(text, "--wait-idle")


def test_a_duration_is_shown() -> None:
    shown = [format_duration(each) for each in (0.25, 43.2, 60, 90, 300, 3600, 5400)]
    assert shown == ["0.2 s", "43 s", "1 min", "1.5 min", "5 min", "1 h", "1.5 h"]


@pytest.fixture(name="process")
def fixture_process(tmp_path: Path) -> Callable[..., Path]:
    """Makes a process of a folder that stands for /proc: its stat now, and after a second."""

    def make(pid: int, name: str, before: int | None, after: int, *, command: str = "") -> Path:
        folder = tmp_path / "proc" / str(pid)
        folder.mkdir(parents=True)
        for file, ticks in (("stat", before), ("after", after)):
            if ticks is not None:
                rest = f"S 1 1 1 0 -1 0 0 0 0 0 {ticks - 1} 1 0 0 20 0 1 0 99 0 0"
                (folder / file).write_text(f"{pid} ({name}) {rest}\n")
        (folder / "cmdline").write_bytes(command.encode())
        return folder

    return make


def watching_engine(folder: Path, record: Activity) -> Path:
    """An engine that a second of the folder's processes passes with."""
    (folder / "activity").write_bytes(as_lines([record]))
    return misbehaving_engine(
        folder,
        f'test "$*" = "--activity 1" || exit 2\ncd {folder}/proc\n'
        f"for each in *; do mv $each/after $each/stat; done\ncat {folder}/activity",
    )


def test_the_processes_that_used_the_cpus_are_found_by_two_looks(
    tmp_path: Path, process: Callable[..., Path]
) -> None:
    process(88, "python3", 500, 538)
    process(4711, "cc1plus", None, 90)
    process(5, "idle", 1000, 1001)
    process(6, "a) (b R 1", 10, 30)
    process(7, "\x1b[31mred", 10, 20)
    long = "a-name-of-many-characters"
    process(9, long[:15], 0, 12, command=f"/usr/bin/{long}\0--option")
    process(10, "streamgage-engi", 0, 70, command="/x/streamgage-engine\0--plan")
    (tmp_path / "proc" / "4712").mkdir()
    (tmp_path / "proc" / "4712" / "after").write_text("nothing of the kind")
    found = watch_programs(watching_engine(tmp_path, ACTIVITY), tmp_path / "proc")
    assert found.activity == ACTIVITY
    assert [(each.pid, each.name, each.cpu_seconds) for each in found.programs] == [
        (4711, "cc1plus", 0.9),
        (88, "python3", 0.38),
        (6, "a) (b R 1", 0.2),
        (9, long, 0.12),
        (7, "?[31mred", 0.1),
    ]
    assert [(each.pid, each.name) for each in found.engines] == [(10, "streamgage-engine")]


@pytest.mark.parametrize(
    "body",
    ["exit 2", "echo 'no such option' >&2; exit 1", "echo {}", "seq 100000", "kill -9 $$", "true"],
)
def test_an_engine_that_cannot_look_costs_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(misbehaving_engine(tmp_path, body)))
    assert look() is None
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(tmp_path / "no-engine"))
    assert look() is None


def test_an_engine_that_looks_for_ever_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_programs, "_LONGEST_LOOK", 0.2)
    engine = misbehaving_engine(tmp_path, "exec sleep 1000")
    with pytest.raises(EngineError, match="--activity took more than 0 s"):
        watch_programs(engine, tmp_path)
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    assert look() is None


def test_a_kernel_that_does_not_tell_of_busy_cpus_costs_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "proc").mkdir()
    engine = watching_engine(tmp_path, changed(ACTIVITY, other_seconds=None))
    monkeypatch.setenv("STREAMGAGE_ENGINE", str(engine))
    assert look() is None
