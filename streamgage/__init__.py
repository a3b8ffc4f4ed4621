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
    from streamgage.api.check_kernels import KernelChecks, check_kernels
    from streamgage.api.compare import ComparedRuns, compare
    from streamgage.api.compilers import compilers
    from streamgage.api.doctor import Environment, doctor
    from streamgage.api.endings import Interrupted, NothingMeasuredError
    from streamgage.api.history import History, history
    from streamgage.api.interpret import interpret
    from streamgage.api.ladder import ladder
    from streamgage.api.latency import latency
    from streamgage.api.load import load
    from streamgage.api.measure import measure
    from streamgage.api.numa import numa
    from streamgage.api.predict import PredictedScaling, predict
    from streamgage.api.repeat import repeat
    from streamgage.api.report import report
    from streamgage.api.rows import Rows
    from streamgage.api.run import Run
    from streamgage.api.runs import BaseRun
    from streamgage.api.scale import scale
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
    from streamgage.api.study import study
    from streamgage.api.study_petsc import study_petsc
    from streamgage.api.topology import Topology, topology
    from streamgage.api.traffic import NoCountersError, Traffic, traffic
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
    "api.check_kernels": ("KernelChecks", "check_kernels"),
    "api.compare": ("ComparedRuns", "compare"),
    "api.compilers": ("compilers",),
    "api.doctor": ("Environment", "doctor"),
    "api.endings": ("Interrupted", "NothingMeasuredError"),
    "api.history": ("History", "history"),
    "api.interpret": ("interpret",),
    "api.ladder": ("ladder",),
    "api.latency": ("latency",),
    "api.load": ("load",),
    "api.measure": ("measure",),
    "api.numa": ("numa",),
    "api.predict": ("PredictedScaling", "predict"),
    "api.repeat": ("repeat",),
    "api.report": ("report",),
    "api.rows": ("Rows",),
    "api.run": ("Run",),
    "api.runs": ("BaseRun",),
    "api.scale": ("scale",),
    "api.series": (
        *("CompilersRun", "LadderRun", "LatencyRun", "NumaRun", "RepeatRun", "ScalingRun"),
        *("SeriesRun", "StudyRun"),
    ),
    "api.storing": ("OWN",),
    "api.study": ("study",),
    "api.study_petsc": ("study_petsc",),
    "api.topology": ("Topology", "topology"),
    "api.traffic": ("NoCountersError", "Traffic", "traffic"),
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
