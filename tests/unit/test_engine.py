from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from example_records import END, MACHINE, as_lines, good_records
from programs import misbehaving_engine
from time_limits import Clock, runs, wait_until

from streamgage.errors import StreamgageError, UsageError
from streamgage.plan import Plan
from streamgage.process.engine import EngineError, describe_machine, find_engine, stream_records
from streamgage.records import Sampling
from streamgage.records.spool import Spool, spool_in, spool_in_memory


@pytest.fixture(autouse=True)
def priority(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the front wants to be its priority; the tests keep theirs."""
    asked: list[int] = []
    monkeypatch.setattr(os, "nice", asked.append)
    return asked


@pytest.fixture
def spool() -> Iterator[Spool]:
    """A place for records that is in no folder."""
    spool = spool_in_memory()
    yield spool
    spool.close(worth_keeping=False)


PLAN = Plan(
    kernels=["copy"],
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1),
)


def test_the_named_engine_comes_first(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "")
    assert find_engine({"STREAMGAGE_ENGINE": str(engine)}) == engine
    with pytest.raises(EngineError, match="correct it, or unset it"):
        find_engine({"STREAMGAGE_ENGINE": str(tmp_path)})


def test_the_path_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(EngineError, match=r"was not found next to .* `make build`"):
        find_engine({"PATH": str(tmp_path)})
    engine = tmp_path / "streamgage-engine"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    assert find_engine({"PATH": str(tmp_path)}) == engine


def test_the_engine_gets_the_plan_and_writes_the_file_itself(
    tmp_path: Path, priority: list[int]
) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f'test "$*" = "--plan -"; cat > plan\ncat {lines}')
    before = Path.cwd()
    spool = spool_in(tmp_path / "run.jsonl", print)
    os.chdir(tmp_path)
    try:
        seen = list(stream_records(PLAN, engine=engine, spool=spool, note=print))
    finally:
        os.chdir(before)
    spool.close(worth_keeping=True)
    assert seen == good_records()
    assert (tmp_path / "run.jsonl").read_bytes() == lines.read_bytes()
    assert b'"kernels":["copy"]' in (tmp_path / "plan").read_bytes()
    assert priority == [19]


def test_what_comes_after_the_first_look_is_seen_too(tmp_path: Path, spool: Spool) -> None:
    first, *rest = as_lines(good_records()).decode().splitlines(keepends=True)
    (tmp_path / "lines").write_text("".join(rest))
    body = (
        f"printf '%s' '{first[:20]}'\nsleep 0.3\nprintf '%s' '{first[20:]}'\n"
        f"while ! test -e {tmp_path}/go; do sleep 0.05; done\ncat {tmp_path}/lines"
    )
    records = stream_records(
        PLAN, engine=misbehaving_engine(tmp_path, body), spool=spool, note=print
    )
    assert next(records) == good_records()[0]
    (tmp_path / "go").touch()
    assert list(records) == good_records()[1:]


def test_without_process_descriptors_it_works_as_well(
    tmp_path: Path, spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    end = as_lines([END]).decode()
    engine = misbehaving_engine(tmp_path, f"printf '%s' '{end}'")
    assert list(stream_records(PLAN, engine=engine, spool=spool, note=print)) == [END]


WAITING = "echo 'streamgage-engine: note: waiting: another measurement runs' >&2\n"


def test_an_engine_that_says_nothing_is_ended(tmp_path: Path, spool: Spool) -> None:
    engine = misbehaving_engine(tmp_path, "exec sleep 1000")
    records = stream_records(PLAN, engine=engine, spool=spool, note=print, most_silent_seconds=0.4)
    with pytest.raises(EngineError, match="printed nothing for 0 s, and was ended"):
        list(records)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What the front takes for the time while it watches an engine."""
    clock = Clock()
    monkeypatch.setattr("streamgage.process.engine.time", clock)
    return clock


SECONDS_OF_A_LOOK = 4.0
"""Fewer than those after which the front takes itself to have been suspended."""


def test_an_engine_that_waits_for_another_may_be_silent(
    tmp_path: Path, spool: Spool, clock: Clock
) -> None:
    end = as_lines([END]).decode()
    go = f"while ! test -e {tmp_path}/go; do sleep 0.05; done"
    engine = misbehaving_engine(tmp_path, f"{WAITING}{go}\nprintf '%s' '{end}'")
    sentences: list[str] = []

    def note(sentence: str) -> None:
        sentences.append(sentence)
        clock.step = SECONDS_OF_A_LOOK
        threading.Thread(target=let_it_go_later).start()

    def let_it_go_later() -> None:
        wait_until(lambda: clock.seconds > 20)
        (tmp_path / "go").touch()

    records = stream_records(PLAN, engine=engine, spool=spool, note=note, most_silent_seconds=10)
    assert list(records) == [END]
    assert sentences == ["waiting: another measurement runs"]
    assert clock.seconds > 20


def test_an_engine_that_has_waited_may_not_be_silent_afterwards(
    tmp_path: Path, spool: Spool, clock: Clock
) -> None:
    line = as_lines(good_records()[:1]).decode()
    engine = misbehaving_engine(tmp_path, f"{WAITING}printf '%s' '{line}'\nexec sleep 1000")
    records = stream_records(PLAN, engine=engine, spool=spool, note=print, most_silent_seconds=10)
    assert next(records) == good_records()[0]
    clock.step = SECONDS_OF_A_LOOK
    with pytest.raises(EngineError, match="printed nothing for 10 s, and was ended"):
        list(records)


def test_an_engine_deaf_to_sigterm_is_killed_after_its_grace(tmp_path: Path, spool: Spool) -> None:
    line = as_lines(good_records()[:1]).decode()
    engine = misbehaving_engine(tmp_path, f"trap '' TERM\nprintf '%s' '{line}'\nexec sleep 1000")
    records = stream_records(PLAN, engine=engine, spool=spool, note=print, grace_seconds=0.05)
    next(records)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(EngineError, match="did not end when asked to, and was killed") as failed:
        list(records)
    assert failed.value.exit_status == 143


def test_signal_handlers_are_put_back(tmp_path: Path, spool: Spool) -> None:
    before = signal.getsignal(signal.SIGTERM)
    end = as_lines([END]).decode()
    engine = misbehaving_engine(tmp_path, f"printf '%s' '{end}'")
    list(stream_records(PLAN, engine=engine, spool=spool, note=print))
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_engine_does_not_outlive_its_reader(tmp_path: Path, spool: Spool) -> None:
    line = as_lines(good_records()[:1]).decode()
    body = f"echo $$ > {tmp_path}/pid\nprintf '%s' '{line}'\nexec sleep 1000"
    records = stream_records(
        PLAN, engine=misbehaving_engine(tmp_path, body), spool=spool, note=print
    )
    next(iter(records))
    records.close()  # type: ignore[attr-defined]
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()


KEPT_OPEN = (
    "setsid sh -c 'echo $$ > left; exec sleep 300' &\nwhile ! test -s left; do sleep 0.05; done\n"
)
"""Something that the engine started keeps its stderr open, in a group of its own."""
IN_THE_GROUP = "sleep 300 &\necho $! > left\n"


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file with the number of a process that the engine leaves, which is ended."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "left"
    file = tmp_path / "left"
    if file.exists() and runs(number_in(file)):
        with suppress(ProcessLookupError):  # it ended since
            os.kill(number_in(file), signal.SIGKILL)


def number_in(file: Path) -> int:
    """Of the process that has written it."""
    return int(file.read_text("utf-8"))


def outlives(file: Path, leaves: str) -> bool:
    """Whether the process goes on; the kernel may take a while to end one that was killed."""
    if leaves is IN_THE_GROUP:
        wait_until(lambda: not runs(number_in(file)))
    return runs(number_in(file))


@pytest.mark.parametrize("leaves", [KEPT_OPEN, IN_THE_GROUP])
def test_what_keeps_the_stderr_of_the_engine_open_holds_nothing_up(
    tmp_path: Path, spool: Spool, left: Path, leaves: str
) -> None:
    end = as_lines([END]).decode()
    engine = misbehaving_engine(
        tmp_path, f"{leaves}echo 'streamgage-engine: note: so.' >&2\nprintf '%s' '{end}'"
    )
    notes: list[str] = []
    assert list(stream_records(PLAN, engine=engine, spool=spool, note=notes.append)) == [END]
    assert notes == ["so."]
    assert outlives(left, leaves) == (leaves is KEPT_OPEN)


@pytest.mark.parametrize("leaves", [KEPT_OPEN, IN_THE_GROUP])
def test_nor_does_it_when_the_machine_is_asked_for(tmp_path: Path, left: Path, leaves: str) -> None:
    (tmp_path / "machine").write_bytes(as_lines([MACHINE]))
    engine = misbehaving_engine(tmp_path, "exit 1", machine=f"{leaves}cat machine")
    assert describe_machine(engine) == MACHINE
    assert outlives(left, leaves) == (leaves is KEPT_OPEN)


def test_last_words_are_read_while_another_goes_on_talking(
    tmp_path: Path, spool: Spool, left: Path
) -> None:
    talks = KEPT_OPEN.replace("exec sleep 300", "exec yes >&2")
    engine = misbehaving_engine(tmp_path, f"{talks}exit 3")
    with pytest.raises(EngineError, match="ended without its last record") as failed:
        list(stream_records(PLAN, engine=engine, spool=spool, note=print))
    assert set(failed.value.last_lines) == {"y"}


def test_a_signal_reaches_the_engine_behind_a_wrapper(
    tmp_path: Path, spool: Spool, left: Path
) -> None:
    line = as_lines(good_records()[:1]).decode()
    inner = f"trap 'echo caught > caught; exit 130' INT\nprintf '%s' '{line}'\n"
    (tmp_path / "inner").write_text(f"{inner}while :; do sleep 0.05; done\n")
    engine = misbehaving_engine(tmp_path, "sh inner\nexit 130")
    records = stream_records(PLAN, engine=engine, spool=spool, note=print)
    next(records)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(EngineError, match="was stopped") as failed:
        list(records)
    assert failed.value.exit_status == 130
    assert (tmp_path / "caught").exists()


def test_the_engine_is_asked_which_machine_this_is(tmp_path: Path) -> None:
    assert describe_machine(misbehaving_engine(tmp_path, "exit 1")) == MACHINE


@pytest.mark.parametrize(
    ("machine", "error", "words"),
    [
        ("echo 'streamgage-engine: No such.' >&2; exit 2", UsageError, "No such."),
        ("exit 2", UsageError, "streamgage-engine --machine was refused."),
        ("echo 'streamgage-engine: No clock.' >&2; exit 1", EngineError, "No clock."),
        ("kill -SEGV $$", EngineError, "streamgage-engine died: it was ended by SIGSEGV."),
        ("true", EngineError, "are of different versions; install both again."),
        ("echo 3; echo warning >&2", EngineError, "are of different versions; install both again."),
        ('echo \'{"record": "clock"}\'', EngineError, "are of different versions"),
        ("printf '\\377\\376'", EngineError, "are of different versions"),
        ("yes '[' | head -50000 | tr -d '\\n'", EngineError, "are of different versions"),
        ("cat machine; echo surplus", EngineError, "are of different versions"),
    ],
)
def test_an_engine_that_cannot_tell_the_machine_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    machine: str,
    error: type[StreamgageError],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "machine").write_bytes(as_lines([MACHINE]))
    with pytest.raises(error) as failed:
        describe_machine(misbehaving_engine(tmp_path, "exit 1", machine=machine))
    assert str(failed.value).endswith(words) or words in str(failed.value)
    assert "streamgage-engine: " not in str(failed.value)


def test_no_engine_to_ask(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be started: No such file or directory"):
        describe_machine(tmp_path / "missing")


def test_a_note_of_the_engine_is_told_while_it_runs(tmp_path: Path, spool: Spool) -> None:
    end = as_lines([END]).decode()
    body = (
        "echo 'streamgage-engine: note: waiting.' >&2\n"
        f"while ! test -e {tmp_path}/go; do sleep 0.05; done\nprintf '%s' '{end}'"
    )
    notes: list[str] = []

    def note(sentence: str) -> None:
        notes.append(sentence)
        (tmp_path / "go").touch()

    engine = misbehaving_engine(tmp_path, body)
    assert list(stream_records(PLAN, engine=engine, spool=spool, note=note)) == [END]
    assert notes == ["waiting."]


def test_an_engine_that_shall_not_wait_is_told_so(tmp_path: Path, spool: Spool) -> None:
    engine = misbehaving_engine(tmp_path, 'echo "streamgage-engine: $*" >&2; exit 1')
    records = stream_records(PLAN, engine=engine, spool=spool, note=print, wait=False)
    with pytest.raises(EngineError, match="--plan - --no-wait"):
        list(records)


def test_the_front_keeps_its_priority_where_another_engine_is_to_inherit_it(
    tmp_path: Path, spool: Spool, priority: list[int]
) -> None:
    end = as_lines([END]).decode()
    engine = misbehaving_engine(tmp_path, f"printf '%s' '{end}'")
    assert list(stream_records(PLAN, engine=engine, spool=spool, note=print, last=False)) == [END]
    assert priority == []
