"""Programs in the foreground of a process that has several threads, such as a notebook's."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from time_limits import wait_until

from streamgage.process.terminal import run_in_foreground

SLEEPS = "touch up; exec sleep 1000"


class Waits:
    """Whether a thread of this process sleeps, as it does while it waits for a program."""

    def __init__(self, thread: int) -> None:
        """Nothing is known of the thread yet."""
        self._stat = Path(f"/proc/self/task/{thread}/stat")
        self._asleep = 0

    def surely(self) -> bool:
        """After some looks: for a moment it may wait for Python's lock, too."""
        state = self._stat.read_text().rpartition(")")[2].split()[0]
        self._asleep = self._asleep + 1 if state == "S" else 0
        return self._asleep > 5


@pytest.fixture
def interrupter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Thread]:
    """A thread that gets SIGINT itself once the program is up and is waited for."""
    monkeypatch.chdir(tmp_path)
    waits = Waits(threading.get_native_id())

    def interrupt() -> None:
        wait_until((tmp_path / "up").exists)
        wait_until(waits.surely)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    yield thread
    thread.join()


def test_a_signal_that_another_thread_takes_reaches_the_program(
    interrupter: threading.Thread,
) -> None:
    interrupter.start()
    assert run_in_foreground(["sh", "-c", SLEEPS]) == 128 + signal.SIGINT


def test_handlers_of_this_process_stay() -> None:
    handler = signal.getsignal(signal.SIGCHLD)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert run_in_foreground(["sh", "-c", "exit 3"]) == 3
    assert signal.getsignal(signal.SIGCHLD) == handler
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


def test_an_ignored_end_of_processes_takes_no_status_along() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert run_in_foreground(["sh", "-c", "exit 3"]) == 3
        assert signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGCHLD, before)
