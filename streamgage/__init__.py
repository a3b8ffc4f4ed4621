"""streamgage: the memory-bandwidth benchmark that can be run and expected to give the right answer.

>>> import streamgage as sg
>>> run = sg.measure(kernels=["copy", "triad"], quick=True)
>>> print(run)

Imports run one way: records, plan, result <- analysis, engine <- studies <- present <- api <- cli.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from streamgage.api.answers import BaseAnswer
    from streamgage.api.endings import Interrupted, NothingMeasuredError
    from streamgage.api.rows import Rows
    from streamgage.api.run import Run
    from streamgage.api.runs import BaseRun
    from streamgage.api.series import (
        CompilersRun,
        LadderRun,
        LatencyRun,
        NumaRun,
        RepeatRun,
        ScalingRun,
        SeriesRun,
        StudyRun,
    )
    from streamgage.api.storing import OWN
    from streamgage.commands.check_kernels import KernelChecks, check_kernels
    from streamgage.commands.compare import ComparedRuns, compare
    from streamgage.commands.compilers import compilers
    from streamgage.commands.doctor import Environment, doctor
    from streamgage.commands.history import History, history
    from streamgage.commands.interpret import interpret
    from streamgage.commands.ladder import ladder
    from streamgage.commands.latency import latency
    from streamgage.commands.load import load
    from streamgage.commands.measure import measure
    from streamgage.commands.numa import numa
    from streamgage.commands.predict import PredictedScaling, predict
    from streamgage.commands.repeat import repeat
    from streamgage.commands.report import report
    from streamgage.commands.scale import scale
    from streamgage.commands.study import study
    from streamgage.commands.study_petsc import study_petsc
    from streamgage.commands.topology import Topology, topology
    from streamgage.commands.traffic import NoCountersError, Traffic, traffic
    from streamgage.errors import StreamgageError, UsageError

__all__ = [
    "OWN",
    "BaseAnswer",
    "BaseRun",
    "ComparedRuns",
    "CompilersRun",
    "Environment",
    "History",
    "Interrupted",
    "KernelChecks",
    "LadderRun",
    "LatencyRun",
    "NoCountersError",
    "NothingMeasuredError",
    "NumaRun",
    "PredictedScaling",
    "RepeatRun",
    "Rows",
    "Run",
    "ScalingRun",
    "SeriesRun",
    "StreamgageError",
    "StudyRun",
    "Topology",
    "Traffic",
    "UsageError",
    "check_kernels",
    "compare",
    "compilers",
    "doctor",
    "history",
    "interpret",
    "ladder",
    "latency",
    "load",
    "measure",
    "numa",
    "predict",
    "repeat",
    "report",
    "scale",
    "study",
    "study_petsc",
    "topology",
    "traffic",
]

_PLACES = {
    "errors": ("StreamgageError", "UsageError"),
    "api.answers": ("BaseAnswer",),
    "commands.check_kernels": ("KernelChecks", "check_kernels"),
    "commands.compare": ("ComparedRuns", "compare"),
    "commands.compilers": ("compilers",),
    "commands.doctor": ("Environment", "doctor"),
    "api.endings": ("Interrupted", "NothingMeasuredError"),
    "commands.history": ("History", "history"),
    "commands.interpret": ("interpret",),
    "commands.ladder": ("ladder",),
    "commands.latency": ("latency",),
    "commands.load": ("load",),
    "commands.measure": ("measure",),
    "commands.numa": ("numa",),
    "commands.predict": ("PredictedScaling", "predict"),
    "commands.repeat": ("repeat",),
    "commands.report": ("report",),
    "api.rows": ("Rows",),
    "api.run": ("Run",),
    "api.runs": ("BaseRun",),
    "commands.scale": ("scale",),
    "api.series": (
        *("CompilersRun", "LadderRun", "LatencyRun", "NumaRun", "RepeatRun", "ScalingRun"),
        *("SeriesRun", "StudyRun"),
    ),
    "api.storing": ("OWN",),
    "commands.study": ("study",),
    "commands.study_petsc": ("study_petsc",),
    "commands.topology": ("Topology", "topology"),
    "commands.traffic": ("NoCountersError", "Traffic", "traffic"),
}


def __getattr__(name: str) -> object:
    """What is asked for is imported then: the command line needs little of it, and soon."""
    from importlib import import_module

    for place, names in _PLACES.items():
        if name in names:
            found: object = getattr(import_module(f"streamgage.{place}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'streamgage' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
