"""Shows where each thread of a program ran, with warnings: ``streamgage pin EXPR -- CMD``."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from streamgage.cpu_list import format_cpu_list, name_cpus
from streamgage.programs.pin.report import BEYOND, OWN, SKIPPED, ObservedPlace, PinnedThread
from streamgage.programs.pin.run import PinnedRun
from streamgage.units import count

_WIDTH = 100
_WANTED = {SKIPPED: "skipped", BEYOND: "beyond", OWN: "its own"}


def render(outcome: PinnedRun) -> str:
    """A table per process: the requested CPUs, and what the kernel reported at start and end."""
    share = outcome.share
    cpus = ",".join(map(str, share.cpus))
    text = io.StringIO()
    console = Console(file=text, width=_WIDTH, highlight=False, markup=False, emoji=False)
    rank = share.rank
    which = "" if rank is None or rank.of == 1 else f", rank {rank.number}"
    console.print(f"{share.expansion.expression}{which}: {cpus}", soft_wrap=True)
    if outcome.policy is not None:
        console.print(f"memory {outcome.policy}", soft_wrap=True)
    processes = dict.fromkeys(thread.process for thread in outcome.threads)
    for process in processes:
        threads = [thread for thread in outcome.threads if thread.process == process]
        console.print(_table(process, sorted(threads, key=lambda each: each.number)))
    return "\n".join(line.rstrip() for line in text.getvalue().split("\n"))


def _table(process: int, threads: list[PinnedThread]) -> Table:
    table = Table(title=f"process {process}", title_justify="left", title_style="", box=None)
    table.add_column("thread", justify="right")
    for column in ("CPU asked for", "may run on", "began on", "ended on", "name"):
        table.add_column(column)
    for thread in threads:
        table.add_row(
            str(thread.number),
            _WANTED.get(thread.wanted, str(thread.wanted)),
            (thread.end or thread.begin).mask,
            _cpu(thread.begin),
            _cpu(thread.end),
            thread.name,
        )
    return table


def _cpu(seen: ObservedPlace | None) -> str:
    return "?" if seen is None or seen.cpu < 0 else str(seen.cpu)


def warnings(outcome: PinnedRun) -> Iterator[str]:
    """Yield sentences for stderr, which are shown with and without the report."""
    cpus = format_cpu_list(outcome.share.cpus)
    if not outcome.threads:
        yield (
            "The program did not load the library that binds threads, because it is static,"
            f" privileged, or built for another processor. It could use {name_cpus(cpus)}, and"
            " only OpenMP bound its threads, if it uses OpenMP."
        )
    beyond = sum(thread.wanted == BEYOND for thread in outcome.threads)
    if beyond:
        main_is_bound = any(not thread.number and thread.wanted >= 0 for thread in outcome.threads)
        waiting = ", or --skip main where the main thread only waits" if main_is_bound else ""
        yield (
            f"{count(beyond, 'thread')} of the program found no free CPU in"
            f" {outcome.share.expansion.expression} and shared {name_cpus(cpus)} with the others:"
            f" name more CPUs, or add --allow-oversubscribe{waiting}."
        )
