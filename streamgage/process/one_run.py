"""Runs one process of the engine by a plan, and keeps its records and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from streamgage.errors import FAILED, StreamgageError, UsageError
from streamgage.plan import LatencyPlan, Plan
from streamgage.process.engine import find_engine, stream_records
from streamgage.process.ranks import Ranks, stream_rank_records
from streamgage.records import AnyRecord, KernelFailure
from streamgage.records.reader import Note
from streamgage.records.run import Run, collect
from streamgage.records.spool import Spool

Watch = Callable[[AnyRecord], None]


@dataclass(frozen=True)
class OneRun:
    """The end of a process of the engine; ``run`` holds everything that it measured."""

    run: Run
    exit_status: int
    records_file: Path | None
    failure: StreamgageError | None
    copied: bytes | None = None
    """The records, if they were written to a file that cannot be read again."""


def run_once(
    plan: Plan | LatencyPlan,
    *,
    spool: Spool,
    watch: Watch,
    note: Note,
    wait: bool,
    last: bool = True,
    ranks: Ranks | None = None,
    variables: Mapping[str, str] | None = None,
    most_silent_seconds: float | None = None,
    first: Sequence[KernelFailure] = (),
) -> OneRun:
    """Run ``plan``, as MPI ``ranks`` if given, and write its records to ``spool``.

    The spool is closed at the end. The records ``first`` are Python's own, and stand before the
    engine's. The other parameters are those of ``stream_records``; ``variables`` and
    ``most_silent_seconds`` have no effect on ranks. Raises ``UsageError`` if the engine refuses the
    plan.
    """
    records: list[AnyRecord] = []
    failure: StreamgageError | None = None
    refused = False
    try:
        engine = find_engine()
        spool.put(b"".join(msgspec.json.encode(each) + b"\n" for each in first))
        if ranks is None:
            source = stream_records(
                plan,
                engine=engine,
                spool=spool,
                note=note,
                wait=wait,
                last=last,
                variables=variables,
                most_silent_seconds=most_silent_seconds,
            )
        else:
            assert isinstance(plan, Plan)
            source = stream_rank_records(
                plan, ranks=ranks, engine=engine, spool=spool, note=note, wait=wait
            )
        for record in source:
            records.append(record)
            watch(record)
    except UsageError:
        refused = True
        raise
    except StreamgageError as error:
        failure = error
    finally:
        copied = spool.copied()
        kept = spool.close(worth_keeping=not refused)
    run = collect(records)
    status = failure.exit_status if failure else run.end.exit_status if run.end else FAILED
    wrong = any(each.valid is False for each in run.validations.values())
    if status == 0 and (wrong or run.kernel_failures):
        status = FAILED
    return OneRun(run, status, kept, failure, copied if kept is None else None)
