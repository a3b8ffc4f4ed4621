"""Where the pages of the arrays lay, and how large they were."""

from __future__ import annotations

from typing import Literal

from streamgage.analysis.finding import Finding
from streamgage.cpu_list import name_nodes
from streamgage.records.quantities import Count, CountFrom1, Positions, Share
from streamgage.results.measure.facts.base import Fact
from streamgage.units import format_share


class RemotePages(Fact, frozen=True, kw_only=True, tag="remote-pages"):
    """Pages lay on another node than the thread that used them, or than memory was bound to."""

    checked: CountFrom1
    remote: Count
    nodes: Positions | None = None
    """The nodes that memory was bound to; ``None``: it was not."""
    unbound: bool = False
    """Whether threads were not bound, as was asked."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.remote / self.checked)
        if self.nodes is not None:
            where = name_nodes(self.nodes)
            return self.said(
                reason=f"{share} of the pages are not on {where}",
                text=f"{self.remote} of {self.checked} checked pages ({share}) are not on"
                f" {where}, to which memory was bound: the figures are not of that memory alone."
                " Something moved them, such as migratepages or a change of the cpuset: measure"
                " again without it.",
            )
        return self.said(
            reason=f"{share} of the pages are on another NUMA node",
            text=f"{self.remote} of {self.checked} checked pages ({share}) lie on"
            " another NUMA node than the thread that uses them: their traffic crosses the link"
            " between the nodes, which is slower and shared. "
            + (
                "Leave --cpus none out, so that threads stay where they touched their pages first."
                if self.unbound
                else "The near node may have been full, or numactl set another policy: free memory"
                " there, or start without numactl."
            ),
        )


class PagesUnchecked(Fact, frozen=True, kw_only=True, tag="pages-unchecked"):
    """The machine has several NUMA nodes, and it is unknown on which of them the pages are."""

    nodes: Positions | None = None
    """The nodes that memory was bound to; ``None``: it was not."""
    said_why: str | None = None
    """Why, in the words of the engine."""

    def finding(self) -> Finding:
        """The finding, in words."""
        why = f" ({self.said_why.rstrip('.')})" if self.said_why else ""
        placed = (
            "Some may lie on another node than the thread that uses them, which would lower the"
            " figures. Each thread touched its part first, which normally places it on the thread's"
            " node"
            if self.nodes is None
            else f"The kernel bound them to {name_nodes(self.nodes)}, and no page was checked"
            " afterwards"
        )
        return self.said(
            reason="no page could be checked for its NUMA node",
            text=f"No page could be checked for its NUMA node{why}. {placed}. To check them, allow"
            " the process the system call move_pages.",
        )


HugePages = Literal["always", "madvise", "never", "unavailable"]


def remedy_for_huge_pages(setting: HugePages | None) -> str:
    """Say how to get huge pages. ``setting``: that of transparent ones; ``None`` if unknown."""
    return {
        "never": "Transparent huge pages are off; as root: echo madvise >"
        " /sys/kernel/mm/transparent_hugepage/enabled.",
        "unavailable": "This kernel has no transparent huge pages.",
    }.get(
        setting or "unknown",
        "Memory is perhaps fragmented; as root: echo 1 > /proc/sys/vm/compact_memory, then"
        " measure again.",
    )


class NoHugePages(Fact, frozen=True, kw_only=True, tag="no-huge-pages"):
    """Arrays did not get the huge pages asked for."""

    share: Share
    """The least of an array that is in huge pages."""
    setting: HugePages | None = None
    """That of transparent huge pages; ``None``: not known."""

    def finding(self) -> Finding:
        """The finding, in words."""
        share = format_share(self.share)
        return self.said(
            reason=f"only {share} of an array is in huge pages",
            text=f"Only {share} of an array is in huge pages: looking up many small"
            " pages costs time, and the figures may be some percent below what the memory gives."
            f" {remedy_for_huge_pages(self.setting)}",
        )


class NumaBalancing(Fact, frozen=True, kw_only=True, tag="numa-balancing"):
    """Automatic NUMA balancing was on, on a machine with several nodes."""

    def finding(self) -> Finding:
        """The finding, in words."""
        return self.said(
            reason="automatic NUMA balancing is on",
            text="Automatic NUMA balancing is on: the kernel unmaps pages now and then to see who"
            " uses them, and may move them, which disturbs samples. As root: sysctl"
            " kernel.numa_balancing=0.",
        )
