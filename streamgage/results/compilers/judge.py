"""Compilers compared: the same loops, built by each."""

from streamgage.results.compilers.compared import Asked, compilations
from streamgage.results.compilers.findings import CHECKS

__all__ = ["CHECKS", "Asked", "compilations"]
