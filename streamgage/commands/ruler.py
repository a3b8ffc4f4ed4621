"""Time a benchmark relative to the memory's speed, on machines whose speed varies."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from streamgage.analysis.conclusion import Conclusion
from streamgage.analysis.statistics.estimate import Estimate
from streamgage.api.answers import AS_FILE, BaseAnswer, PagedAnswer
from streamgage.errors import FAILED, UNCERTAIN, UsageError
from streamgage.measurement.notes import Notes
from streamgage.options.declaration import Display, Form, PythonOnly, command
from streamgage.options.question import Question
from streamgage.options.values import (
    MOST_THREADS,
    NAME,
    Command,
    Cpus,
    Duration,
    Number,
    Seconds,
    Size,
    as_expression,
    bytes_of,
    duration_of,
    ratio_of,
    seconds_within,
    whole_number,
    words_of,
)
from streamgage.programs.ruler.document import Against, Decision, Ruler, RulerRound
from streamgage.records.plain_text import one_line
from streamgage.show.formats import formats_of, suffixes_of
from streamgage.units import count, shortened

if TYPE_CHECKING:
    from streamgage.programs.ruler.run import AgainstRequest
    from streamgage.show.page import Page

MOST_ROUNDS = 10_000
_MOST_WARMUPS = 1000
_LEAST_SIZE = 1 << 20
_LONGEST_NAME = 200
_ROUNDS = 10
_MARGIN = 0.02
_WITHIN_SECONDS = 60.0
_STATUS: dict[Decision, int] = {"slower": FAILED, "undecided": UNCERTAIN, "faster": 0, "equal": 0}
_MOST_MARGIN = 1.0
ANSWERS = Question.PROGRAM
EXAMPLES = (
    (
        "streamgage ruler -- ./program",
        ("Time the program, also in GB that triad could have moved meanwhile."),
    ),
    (
        "streamgage ruler --against ./old -- ./program",
        "Say which is faster; the exit status is 1 if ./program is slower.",
    ),
    (
        "streamgage ruler --format bencher -o bencher.json -- ./program",
        "The same for bencher run --adapter json --file bencher.json.",
    ),
    (
        "streamgage ruler --format github-action-benchmark -- ./program",
        "The same for github-action-benchmark, tool customSmallerIsBetter.",
    ),
)
EXIT_STATUSES = {
    "0": "Every run of the program ended well; with --against it is not slower.",
    "1": "With --against: the program is slower than the other one.",
    "3": "With --against: it is not decided which is faster.",
    "4": "With --against: a program failed.",
    "124": "A run took longer than --timeout.",
    "126, 127": "The program cannot be run; there is no such program.",
    "other": "A run failed: the status is the program's own, or 128 + n after signal n.",
}
_FORMATS = (*formats_of(()), "bencher", "github-action-benchmark")


class BenchmarkTime(BaseAnswer[Ruler], PagedAnswer):
    """A benchmark's time, in seconds and relative to the speed of memory at that moment."""

    _forms: ClassVar = suffixes_of(_FORMATS)

    @property
    def seconds(self) -> Estimate:
        """The median wall time: ``value``, with its bounds ``low`` and ``high``."""
        return self.document.seconds

    @property
    def ratio(self) -> Estimate:
        """The median ratio: the GB that triad could move in the time of a run."""
        return self.document.ratio

    @property
    def against(self) -> Against | None:
        """The comparison with another program; ``None`` without one."""
        return self.document.against

    @property
    def exit_status(self) -> int:
        """0, or with another program 1 if the benchmark is slower and 3 if that is not decided."""
        return 0 if self.against is None else _STATUS[self.against.decision]

    @property
    def rounds(self) -> list[RulerRound]:
        """Every run, with the probes before and after it."""
        return list(self.document.rounds)

    @property
    def conclusions(self) -> list[Conclusion]:
        """What follows from the runs, and how firm that is."""
        return list(self.document.conclusions)

    @cached_property
    def page(self) -> Page:
        """The page of the result, for any format."""
        from streamgage.programs.ruler.page import page_of

        return page_of(self.document)

    def printed(self, form: str, file: Path | None = AS_FILE, details: bool = False) -> str:
        """The text that ``--format`` prints, for ``file`` (``None``: stdout)."""
        from streamgage.programs.ruler import trackers

        own: dict[str, Callable[[Ruler], str]] = {
            "bencher": trackers.bencher,
            "github-action-benchmark": trackers.github_action_benchmark,
        }
        write = own.get(form)
        return super().printed(form, file, details) if write is None else write(self.document)

    def __repr__(self) -> str:
        return f"<{self.document.name} by the ruler, {count(len(self.rounds), 'run')}>"


@command(Display(_FORMATS))
def ruler(
    program: Command,
    *,
    against: Annotated[Command | None, Form("'CMD ARGS'")] = None,
    margin: Annotated[float | str | None, Form("SHARE")] = None,
    within: Duration | None = None,
    rounds: Number | None = None,
    warmups: Number = 1,
    name: Annotated[str | None, NAME] = None,
    probe: Seconds = 0.3,
    size: Size = "128MiB",
    threads: Number | None = None,
    cpus: Cpus | None = None,
    timeout: Seconds = 3600,
    progress: Annotated[bool, PythonOnly(True)] = True,
) -> BenchmarkTime:
    """Time a benchmark as a ratio to the memory's speed.

    Short probes of the memory run between the runs of the program. Hosted CI machines differ in
    speed by more than a factor of two. If memory limits the benchmark, its ratio varies less than
    its time.

    Args:
        program: The benchmark, with its arguments; what it prints is shown where it fails.
        against: Another program, in quotes. Both run in pairs, in random order, until it is known
            which is faster, or that neither is.
        margin: With --against: smaller differences count as equal; default: 0.02.
        within: With --against: the longest time to look for a difference; default: 60.
        rounds: Number of runs; default: 10, or with --against as many pairs as are needed.
        warmups: Number of runs before them that do not count.
        name: What the benchmark is called in the result; default: the name of the program.
        probe: Length of a probe, from 0.05 to 60. In Python seconds.
        size: Size of each of the three arrays of a probe. Figures are comparable with the same
            size and threads only.
        threads: Threads of a probe; default: one per core.
        cpus: CPUs to bind the threads of a probe to.
        timeout: Longest time that a run may take. In Python seconds.
        progress: Print notes; ``notes`` has them, too.

    Raises:
        UsageError: the request cannot be met; nothing was run.
        StreamgageError: the benchmark failed, or the memory cannot be probed.
    """
    from streamgage.programs.ruler.judge import judge_ruler
    from streamgage.programs.ruler.run import RulerRequest, run_ruler

    words = words_of(program)
    if not words:
        raise UsageError("ruler times a program: write it after --, such as -- ./benchmark.")
    array_bytes = bytes_of("--size", size) or 0
    if array_bytes < _LEAST_SIZE:
        raise UsageError("--size is the size of each array of a probe: give 1MiB or more.")
    other = _other(against, margin, within)
    request = RulerRequest(
        command=words,
        name=_name(name, words[0]),
        rounds=whole_number("--rounds", rounds, 1, MOST_ROUNDS)
        or (_ROUNDS if other is None else MOST_ROUNDS),
        warmups=whole_number("--warmups", warmups, 0, _MOST_WARMUPS) or 0,
        probe_seconds=seconds_within("--probe", probe, 0.05, 60.0),
        array_bytes=array_bytes,
        threads=whole_number("--threads", threads, 1, MOST_THREADS),
        cpus=as_expression(cpus),
        most_seconds=seconds_within("--timeout", timeout, 0.01, 1e6),
        against=other,
    )
    notes = Notes(progress)
    total = request.rounds if other is None else None
    with notes.bar() as shown:
        runs = run_ruler(request, lambda done, what: shown.show(what, completed=done, total=total))
    return BenchmarkTime(judge_ruler(runs), tuple(notes.sentences))


def _other(
    against: Command | None, margin: float | str | None, within: Duration | None
) -> AgainstRequest | None:
    """The other program. Raises ``UsageError`` for its options without one."""
    from streamgage.programs.ruler.run import AgainstRequest

    if against is None:
        for option, value in (("--margin", margin), ("--within", within)):
            if value is not None:
                raise UsageError(f"{option} is for a comparison: name a program with --against.")
        return None
    words = words_of(against)
    if not words:
        raise UsageError("--against names a program, such as --against './old --size 1000'.")
    chosen = _MARGIN if margin is None else margin
    seconds = duration_of("--within", within)
    return AgainstRequest(
        command=words,
        name=_name(None, words[0]),
        margin=ratio_of("--margin", chosen, _MOST_MARGIN, str(_MARGIN)),
        within_seconds=_WITHIN_SECONDS if seconds is None else seconds,
    )


def _name(name: str | None, program: str) -> str:
    chosen = Path(program).name if name is None else name
    if not chosen or len(chosen) > _LONGEST_NAME or one_line(chosen) != chosen:
        raise UsageError(
            f"--name {shortened(chosen)!r} is not a name of one line with up to {_LONGEST_NAME}"
            " letters: give another."
        )
    return chosen
