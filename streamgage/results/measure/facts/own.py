"""The user's own kernels: those that failed, and those whose results are not checked."""

from __future__ import annotations

from typing import Annotated

from msgspec import field

from streamgage.analysis.finding import Finding
from streamgage.records.quantities import Some
from streamgage.results.measure.facts.base import Fact, some
from streamgage.units import as_sentence, count, listed


class KernelFailed(Fact, frozen=True, kw_only=True, tag="kernel-failed"):
    """Kernels were left out, or ended the run."""

    left_out: list[str] = field(default_factory=list)
    while_measured: list[str] = field(default_factory=list)
    said_why: Annotated[list[str], Some]
    """Of each, in the words of the engine."""
    others_stand: bool = False
    """Whether other kernels were measured to the end."""

    def finding(self) -> Finding:
        """The finding, in words."""
        parts = []
        if self.left_out:
            parts.append(f"Left out: {some(self.left_out)}.")
        if self.while_measured:
            parts.append(f"Failed while measured, so not valid: {some(self.while_measured)}.")
        parts += [as_sentence(each) for each in self.said_why]
        if self.others_stand:
            parts.append("The figures of the other kernels stand.")
        return self.said(
            reason=f"{count(len(self.said_why), 'kernel')} of your own failed",
            text=" ".join(parts),
        )


class KernelUnchecked(Fact, frozen=True, kw_only=True, tag="kernel-unchecked"):
    """Kernels whose results are not checked."""

    kernels: Annotated[list[str], Some]

    def finding(self) -> Finding:
        """The finding, in words."""
        declare = "declares no check" if len(self.kernels) == 1 else "declare no check"
        return self.said(
            reason=f"the results of {listed(self.kernels)} are not checked",
            text=f"The results are not checked: {listed(self.kernels)} {declare}. A kernel that"
            " computes something else, or skips a part, may seem quicker than it is: add a check.",
        )
