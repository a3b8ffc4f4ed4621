"""Where the running threads of a program are, as seen from outside."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from programs import WAIT_SECONDS
from time_limits import limit_ends_when, wait_until

from streamgage.process.program import run_for
from streamgage.process.program_places import ProgramLooks, looks_at

BUSY = "from pathlib import Path\nwhile not Path('enough').exists(): pass"
LOOKS = 10


def thread(proc: Path, pid: int, tid: int, stat: str, children: str = "") -> None:
    """A thread as the kernel shows it."""
    folder = proc / str(pid) / "task" / str(tid)
    folder.mkdir(parents=True)
    (folder / "stat").write_text(stat)
    (folder / "children").write_text(children)


def stat(state: str, cpu: int, name: str = "a) R (b") -> str:
    """The kernel's line of a thread, whose name may look like the rest of it."""
    return f"1 ({name}) {state} {' '.join(['0'] * 35)} {cpu} 0 0\n"


def seen(pid: int, proc: Path) -> Counter[tuple[int, ...]]:
    """What looks found until there was one."""
    looks = ProgramLooks()
    with looks_at(pid, looks, proc):
        wait_until(lambda: bool(looks.layouts))
    return looks.layouts


def test_threads_that_run_are_found_in_all_processes_that_were_started(tmp_path: Path) -> None:
    thread(tmp_path, 1, 1, stat("S", 7), "20 30 ")
    thread(tmp_path, 20, 20, stat("R", 3))
    thread(tmp_path, 20, 21, stat("R", 1), "40")
    thread(tmp_path, 30, 30, stat("D", 5))
    thread(tmp_path, 40, 40, stat("R", 3))
    thread(tmp_path, 50, 50, stat("R", 6))
    assert set(seen(1, tmp_path)) == {(1, 3, 3)}


def test_a_thread_that_has_ended_or_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    thread(tmp_path, 1, 1, "", "99 x")
    thread(tmp_path, 1, 2, stat("R", 4))
    thread(tmp_path, 1, 3, "3 (short) R 0")
    assert set(seen(1, tmp_path)) == {(4,)}


def test_a_program_without_threads_that_run_has_no_layout(tmp_path: Path) -> None:
    looks = ProgramLooks()
    thread(tmp_path, 1, 1, stat("S", 4))
    with looks_at(1, looks, tmp_path):
        time.sleep(0.3)
    assert not looks.layouts
    assert threading.active_count() == 1


@pytest.mark.parametrize("through", [(), ("sh", "-c", '"$@"; true', "sh")])
def test_a_bound_program_is_seen_where_it_is_bound(
    through: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cpu = max(os.sched_getaffinity(0))
    looks = ProgramLooks()

    def end_it() -> None:
        wait_until(lambda: looks.layouts[cpu,] >= LOOKS)
        Path("enough").touch()

    ending = threading.Thread(target=end_it)
    ending.start()
    command = [*through, "taskset", "-c", str(cpu), "python3", "-c", BUSY]
    done = run_for(command, WAIT_SECONDS, looks=looks)
    ending.join()
    assert done is not None and done.status == 0
    assert looks.layouts[cpu,] > looks.layouts.total() / 2


def test_looking_ends_with_a_program_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    looks = ProgramLooks()
    limit_ends_when(lambda: bool(looks.layouts), 0.5, monkeypatch)
    assert run_for(["python3", "-c", BUSY], 0.5, looks=looks) is None
    assert looks.layouts
    assert threading.active_count() == 1
