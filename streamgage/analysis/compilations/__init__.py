"""Compilers compared: the same loops, built by each."""

from streamgage.analysis.compilations.compared import Asked, compilations
from streamgage.analysis.compilations.findings import CHECKS

__all__ = ["CHECKS", "Asked", "compilations"]
