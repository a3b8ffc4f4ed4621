"""Runs parts at once, failed tests once more, and prints the results."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

from checks import checked
from checks.failures import Failure, shown
from checks.parts import Part
from checks.steps import LOGS, PROCESSES, ROOT, Run, Step

MOST_FLAKY = 3
"""A run with more flaky tests than this has failed; then failed tests are not run again."""

Say = Callable[[str], None]


@dataclass
class PartEnd:
    """How a part ended."""

    part: Part
    seconds: float
    tests: int
    failures: list[tuple[Step, Failure]]
    flaky: list[Failure] = field(default_factory=list)
    late: bool = False

    @property
    def result(self) -> str:
        """The result as a word for the table."""
        if self.failures:
            return "late" if self.late else "FAIL"
        return "flaky" if self.flaky else "ok"

    def row(self) -> str:
        """The line of the table."""
        counted = f"  {self.tests:5} tests" if self.tests else ""
        return f"{self.result:5} {self.part.name:16} {self.seconds:5.0f} s{counted}"


def say_aloud(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def run_parts(
    parts: Sequence[Part],
    say: Say = say_aloud,
    afterwards: Callable[[float], None] = lambda _seconds: None,
) -> int:
    """Run the parts, print a line for each and the table at the end; return the exit status.

    If all pass, ``afterwards`` is called before the last line, with the seconds that it took.
    """
    LOGS.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    ended = _run_at_once(parts, say)
    ended.sort(key=lambda each: list(parts).index(each.part))
    _run_failed_again(ended, say)
    say("")
    for each in ended:
        say(each.row())
    say(f"all together {time.monotonic() - start:7.0f} s")
    _say_failures(ended, say)
    reason = checked.record((each.part, each.result, each.seconds) for each in ended)
    if reason:
        say(f"\n{reason}")
    flaky = [each for part in ended for each in part.flaky]
    (LOGS / "flaky.txt").write_text("".join(f"{each.name}\n" for each in flaky), "utf-8")
    failed = [each.part.name for each in ended if each.failures]
    if not failed:
        afterwards(time.monotonic() - start)
    say(f"\n{len(ended) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def run_within(limit: float, part: Part, say: Say = say_aloud) -> PartEnd:
    """Run one part, failed tests once more, and end it when its time is up."""
    start = time.monotonic()
    ended = _run_at_once([part], say, limit)
    _run_failed_again(ended, say, max(limit - (time.monotonic() - start), 0))
    _say_failures(ended, say)
    return ended[0]


def _run_at_once(parts: Sequence[Part], say: Say, limit: float | None = None) -> list[PartEnd]:
    """Run as many parts at once as there are CPUs; first those that must run alone."""
    ended: list[PartEnd] = []
    waiting = sorted(parts, key=lambda part: not part.alone)
    running: dict[Future[PartEnd], Part] = {}
    slots = len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(slots) as pool, _all_ended():
        while waiting or running:
            for part in list(waiting):
                busy = {each.name for each in (*running.values(), *waiting)} - {part.name}
                blocked = part.after in busy or (part.alone and running)
                if blocked or len(running) >= slots or _is_alone(running):
                    continue
                waiting.remove(part)
                running[pool.submit(_run_part, part, limit)] = part
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                last = future.result()
                ended.append(last)
                say(last.row())
                checked.keep_passed(last.part, last.result, last.seconds)
    return ended


@contextmanager
def _all_ended() -> Iterator[None]:
    """End everything that runs if this process is to end."""
    try:
        yield
    except BaseException:
        PROCESSES.end_all()
        raise


def _is_alone(running: dict[Future[PartEnd], Part]) -> bool:
    return any(part.alone for part in running.values())


def _run_part(part: Part, limit: float | None) -> PartEnd:
    run = Run(part.name, limit=limit)
    run.log.unlink(missing_ok=True)
    start = time.monotonic()
    failures: list[tuple[Step, Failure]] = []
    for step in part.steps:
        failures += [(step, failure) for failure in step.run(run)]
        if failures and not part.go_on:
            break
    return PartEnd(part, time.monotonic() - start, run.tests, failures, late=run.late)


def _run_failed_again(ended: Sequence[PartEnd], say: Say, limit: float | None = None) -> None:
    """One part at a time, with nothing else running, where the run can become green by that."""
    failed = [failure for each in ended for _, failure in each.failures]
    if not failed or any(not each.again for each in failed):
        return
    if len(failed) > MOST_FLAKY:
        say(f"{len(failed)} tests failed: more than {MOST_FLAKY} are not run once more.")
        return
    for each in ended:
        if not each.failures:
            continue
        say(f"once more: {', '.join(failure.name for _, failure in each.failures)}")
        run = Run(each.part.name, again=True, limit=limit)
        run.log.unlink(missing_ok=True)
        first = each.failures
        each.failures = []
        for step in dict.fromkeys(step for step, _ in first):
            of_step = [failure for its, failure in first if its is step]
            names = {failure.name for failure in step.run_again(run, of_step)}
            stays = [failure for failure in of_step if failure.name in names]
            if len(stays) < len(names):
                stays = of_step  # it failed in another way
            each.failures += [(step, failure) for failure in stays]
            each.flaky += [failure for failure in of_step if failure not in stays]


def _say_failures(ended: Sequence[PartEnd], say: Say) -> None:
    for each in ended:
        for failure in each.flaky:
            say(f"\nflaky: {failure.name} ({each.part.name}), which failed once by\n")
            say(_indented(shown(failure.text)))
        for _, failure in each.failures:
            log = Run(each.part.name).log.relative_to(ROOT)
            say(f"\nFAIL: {failure.name} ({log})\n")
            say(_indented(shown(failure.text)))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
