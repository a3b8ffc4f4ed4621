"""A program beside STREAM: whether its efficiency follows that of bandwidth."""

from streamgage.results.study.compared import Asked, Ran, study
from streamgage.results.study.findings import CHECKS
from streamgage.results.study.phases import ProgramRun

__all__ = ["CHECKS", "Asked", "ProgramRun", "Ran", "study"]
