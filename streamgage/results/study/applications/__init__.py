"""The programs that are studied next to STREAM: how to call them, and how to read their times."""

from streamgage.results.study.applications.template import Template, parse_template
from streamgage.results.study.applications.times import (
    PhaseTime,
    Source,
    TimesError,
    read_petsc_log,
    read_times,
)

__all__ = [
    "PhaseTime",
    "Source",
    "Template",
    "TimesError",
    "parse_template",
    "read_petsc_log",
    "read_times",
]
