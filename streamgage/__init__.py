"""streamgage: the memory-bandwidth benchmark that can be run and expected to give the right answer.

>>> import streamgage as sg
>>> run = sg.measure(kernels=["copy", "triad"], quick=True)
>>> print(run)

Imports run one way: records <- analysis, process <- show <- results <- store <- machine <-
comparison, programs <- options <- html <- api <- measurement <- commands <- cli.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, whose import takes longer than the rest of this module
if TYPE_CHECKING:  # the one list of names, as type checkers need it; __getattr__ reads it, too
    from streamgage.api.answers import Answer as Answer
    from streamgage.api.answers import BaseAnswer as BaseAnswer
    from streamgage.api.answers import PagedAnswer as PagedAnswer
    from streamgage.api.benchmark import BenchmarkTime as BenchmarkTime
    from streamgage.api.cloud import CloudComparison as CloudComparison
    from streamgage.api.device_runs import DeviceRuns as DeviceRuns
    from streamgage.api.interpreted import InterpretedRuns as InterpretedRuns
    from streamgage.api.prediction import PredictedScaling as PredictedScaling
    from streamgage.api.rows import Rows as Rows
    from streamgage.api.run import Run as Run
    from streamgage.api.runs import BaseRun as BaseRun
    from streamgage.api.series import CompilersRun as CompilersRun
    from streamgage.api.series import SeriesRun as SeriesRun
    from streamgage.commands.check import check as check
    from streamgage.commands.compare import ComparedRuns as ComparedRuns
    from streamgage.commands.compare import compare as compare
    from streamgage.commands.compilers import compilers as compilers
    from streamgage.commands.doctor import Doctor as Doctor
    from streamgage.commands.doctor import doctor as doctor
    from streamgage.commands.expected import ExpectedValues as ExpectedValues
    from streamgage.commands.expected import expected as expected
    from streamgage.commands.fleet_judge import fleet_judge as fleet_judge
    from streamgage.commands.history import History as History
    from streamgage.commands.history import history as history
    from streamgage.commands.interpret import interpret as interpret
    from streamgage.commands.ladder import ladder as ladder
    from streamgage.commands.latency import latency as latency
    from streamgage.commands.links import links as links
    from streamgage.commands.load import load as load
    from streamgage.commands.measure import check_kernels as check_kernels
    from streamgage.commands.measure import measure as measure
    from streamgage.commands.numa import numa as numa
    from streamgage.commands.program import program as program
    from streamgage.commands.report import report as report
    from streamgage.commands.scale import scale as scale
    from streamgage.commands.topology import Topology as Topology
    from streamgage.commands.topology import topology as topology
    from streamgage.commands.traffic import NoCountersError as NoCountersError
    from streamgage.commands.traffic import Traffic as Traffic
    from streamgage.commands.traffic import traffic as traffic
    from streamgage.errors import StreamgageError as StreamgageError
    from streamgage.errors import UsageError as UsageError
    from streamgage.measurement.check import CheckAnswer as CheckAnswer
    from streamgage.measurement.ending import MeasurementInterrupt as MeasurementInterrupt
    from streamgage.measurement.ending import NothingMeasuredError as NothingMeasuredError
    from streamgage.measurement.fleet import FleetAnswer as FleetAnswer
    from streamgage.measurement.kernel_checks import KernelChecks as KernelChecks
    from streamgage.options.place import OWN as OWN


def __getattr__(name: str) -> object:
    """Import a name on first use, because the command line needs only a few of them."""
    places = _places()
    if name == "__all__":
        return sorted(places)
    if name not in places:
        raise AttributeError(f"module 'streamgage' has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(places[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_places()})


def _places() -> dict[str, str]:
    """The module of each name in the list above."""
    if "_known" not in globals():
        import ast
        from pathlib import Path

        tree = ast.parse(Path(__file__).read_text("utf-8"))
        globals()["_known"] = {
            each.name: statement.module or ""
            for block in tree.body
            if isinstance(block, ast.If)
            for statement in block.body
            if isinstance(statement, ast.ImportFrom)
            for each in statement.names
        }
    known: dict[str, str] = globals()["_known"]
    return known
