"""The matrix of NUMA nodes: which can be measured, what the runs of its cells give, and why."""

from streamgage.results.numa.findings import CHECKS
from streamgage.results.numa.layout import Layout, cell_name, layout_of
from streamgage.results.numa.matrix import numa_matrix

__all__ = ["CHECKS", "Layout", "cell_name", "layout_of", "numa_matrix"]
