"""A program beside STREAM: whether its efficiency follows that of bandwidth."""

from streamgage.analysis.study.compared import Asked, Ran, study
from streamgage.analysis.study.findings import CHECKS
from streamgage.analysis.study.phases import ProgramRun

__all__ = ["CHECKS", "Asked", "ProgramRun", "Ran", "study"]
