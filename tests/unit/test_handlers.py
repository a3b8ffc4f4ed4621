"""Handlers of signals that are given back, those of a host program among them."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from streamgage.process.program import run_for
from streamgage.process.signals import handled, signals_passed_on
from streamgage.process.terminal import run_in_foreground
from streamgage.programs.traffic.watch import _ending_signals

TAKEN = (signal.SIGINT, signal.SIGTERM, signal.SIGTSTP, signal.SIGCHLD)


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program with Python in it that has a handler of its own for SIGINT and SIGCHLD."""
    before = {number: signal.getsignal(number) for number in TAKEN}
    real = signal.signal
    unknown = {signal.SIGINT, signal.SIGCHLD, signal.SIGTERM}

    def set_handler(number: int, handler: signal._HANDLER) -> signal._HANDLER:
        found = real(number, handler)
        if number in unknown:
            unknown.remove(signal.Signals(number))
            return None
        return found

    monkeypatch.setattr(signal, "signal", set_handler)
    yield
    for number, handler in before.items():
        real(number, handler)


def _handle(_number: int, _frame: object) -> None:
    pass


def _passed_on() -> AbstractContextManager[object]:
    process = subprocess.Popen(["true"])
    process.wait()
    return signals_passed_on(process, 1)


def _handled() -> AbstractContextManager[object]:
    return handled(dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGTSTP), _handle))


@pytest.mark.parametrize("taken", [_passed_on, _handled])
def test_a_handler_that_is_not_pythons_hides_none_of_the_others(
    taken: Callable[[], AbstractContextManager[object]],
) -> None:
    stop = signal.getsignal(signal.SIGTSTP)
    with taken():
        assert signal.getsignal(signal.SIGTSTP) not in (stop, None)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGTSTP) == stop


def test_no_result_is_lost_to_a_handler_that_is_not_pythons() -> None:
    done = run_for(["true"], 10)
    assert done is not None
    assert done.status == 0
    assert run_in_foreground(["sh", "-c", "exit 3"]) == 3
    with _ending_signals() as asked:
        assert asked == []
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
