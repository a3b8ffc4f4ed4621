"""Outside influence on the engine's process: a low priority, and stops."""

from __future__ import annotations

from streamgage.analysis.finding import Finding
from streamgage.records.quantities import Amount, Count, Duration, Number
from streamgage.results.measure.facts.base import Fact
from streamgage.results.run_findings import niced_finding
from streamgage.units import count, format_share


class Niced(Fact, frozen=True, kw_only=True, tag="niced"):
    """The priority was below that of ordinary programs."""

    nice: Number

    def finding(self) -> Finding:
        """The finding, in words."""
        return niced_finding(self.nice)


class Paused(Fact, frozen=True, kw_only=True, tag="paused"):
    """No thread ran for a while although none waited for a CPU."""

    seconds: Duration
    share: Amount | None = None
    """Of the run's time."""
    left_out: Count
    """Samples that were hit and left out of the figures."""
    kept: Count
    """Samples that took far longer and stay in the figures."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = "" if self.share is None else f" ({format_share(self.share)} of the run)"
        lost = f"{self.seconds:.1f} s{share}"
        return self.said(
            reason=f"the run stood still for {lost}",
            text=f"The run stood still for {lost}: a signal (SIGSTOP, Ctrl-Z), a debugger or a"
            f" suspended machine stopped it. {self._samples()} Measure again without the"
            " interruption.",
        )

    def _samples(self) -> str:
        """What happened to the affected samples."""
        said = []
        if self.left_out:
            is_or_are = "is" if self.left_out == 1 else "are"
            said.append(
                f"{count(self.left_out, 'sample')} that it hit {is_or_are} left out of the figures."
            )
        if self.kept:
            stays = "stays in the figures and widens" if self.kept == 1 else "stay and widen"
            said.append(
                f"{count(self.kept, 'sample')} that took far longer than the others"
                f" {stays} the intervals."
            )
        return " ".join(said) or "It hit no sample, so the figures are unaffected."
