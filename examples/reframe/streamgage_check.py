"""A ReFrame check of memory bandwidth: ``streamgage measure`` as a run-only test.

It fails where streamgage fails, where a result is wrong or a finding is an error, and where a rate
lies below its reference in ``references.yaml``. Each rate is a performance variable in GB/s
(10^9 bytes a second), named by kernel and stores: ``triad_plain``, ``copy_streaming``; what crossed
the memory bus meanwhile, where it is known, is ``triad_plain_hardware``. See README.md.
"""

# ruff: noqa: RUF012 - ReFrame copies what a class of it is given.

from __future__ import annotations

import json
import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.backends import getlauncher
from reframe.core.builtins import run_after, run_before, sanity_function, variable

DOCUMENT = "result.json"
"""What streamgage says, as one document; schema/measure.schema.json describes it."""
RECORDS = "records.jsonl"
"""What the engine measured; ``streamgage show`` reads it."""


class StreamgageBase(rfm.RunOnlyRegressionTest):
    """What measuring with threads and with MPI ranks have in common."""

    preset = variable(str, value="standard")
    """Or ``quick``, or ``thorough``."""
    kernels = variable(typ.List[str], value=[])
    """Such as ``copy,triad``; without any, those of the preset."""
    stores = variable(typ.List[str], value=[])
    """Such as ``plain,streaming``; without any, those of the preset."""
    threads = variable(int, type(None), value=None)
    cpus = variable(str, value="")
    """A placement expression, such as ``S0:0-3@S1:0-3``."""
    size = variable(str, value="")
    tune = variable(typ.Bool, value=False)
    """Whether tuned shapes are sought and measured too. They differ from run to run; the standard
    ones, which references are for, do not."""
    findings = variable(typ.List[str], value=[], loggable=True)
    """The codes of what streamgage found, by the run itself: a column of the perflog."""

    valid_systems = ["*"]
    # Nothing is compiled, so that one environment is enough.
    valid_prog_environs = ["builtin"]
    sourcesdir = None
    executable = "streamgage"
    exclusive_access = True
    time_limit = "20m"
    keep_files = [DOCUMENT, RECORDS]
    reference = {"$ref": "references.yaml"}
    tags = {"memory", "performance"}

    @run_before("run")
    def start_without_a_launcher(self) -> None:
        """Streamgage places its threads, and starts its ranks, by itself."""
        self.job.launcher = getlauncher("local")()

    @run_before("run")
    def make_the_command_line(self) -> None:
        """What ``executable_opts`` has from the command line goes last."""
        # ReFrame keeps both files; many nodes would write to one store at once.
        files = ["-o", DOCUMENT, "--records", RECORDS, "--no-store"]
        options = ["measure", "--format", "json", *files]
        if self.preset != "standard":
            options.append(f"--{self.preset}")
        if not self.tune:
            options.append("--no-tune")
        for name in ("kernels", "stores"):
            if getattr(self, name):
                options += [f"--{name}", ",".join(getattr(self, name))]
        for name in ("threads", "cpus", "size"):
            if getattr(self, name):
                options += [f"--{name}", str(getattr(self, name))]
        self.executable_opts = [*map(shlex.quote, options), *self.executable_opts]

    @sanity_function
    def assert_that_nothing_is_wrong(self) -> object:
        """Streamgage succeeded, every result is valid, and no finding is an error."""
        # As a value, not as the message: what is in braces there would be taken for a field.
        return sn.assert_false("; ".join(self._complaints()), msg="{0}")

    def _complaints(self) -> list[str]:
        """What is wrong, in streamgage's own words where it has any."""
        stage = Path(self.stagedir)
        written = (stage / DOCUMENT).is_file() and (stage / DOCUMENT).stat().st_size > 0
        complaints = []
        # Without accounting Slurm does not tell the status; then there is the document alone.
        if self.job.exitcode:
            complaints.append(f"streamgage ended with exit status {self.job.exitcode}")
        if not written:
            complaints.append(f"streamgage wrote no {DOCUMENT}")
        if complaints:
            message = (stage / self.job.stderr).read_text("utf-8", "replace")
            complaints.append(f"it said: {message.strip() or 'nothing'}")
        if not written:
            return complaints
        document = self._document()
        results = [*document["kernels"], *document["checks"]]
        if not results:
            complaints.append("nothing was measured")
        complaints += [
            f"{result['kernel']} {result['store']} is not valid"
            for result in results
            if result["valid"] is not True
        ]
        return complaints + [_sentence_of(finding) for finding in _findings(document, "error")]

    def _document(self) -> dict[str, Any]:
        return json.loads((Path(self.stagedir) / DOCUMENT).read_text("utf-8"))

    @run_after("sanity")
    def show_the_findings(self) -> None:
        """Warnings on the terminal, notes with ``-v``, and the codes of all in the perflog."""
        document = self._document()
        for finding in _findings(document, "spoiled", "warning"):
            self.logger.warning(f"{self._where()}: {_sentence_of(finding)}")
        for finding in _findings(document, "note", "fact"):
            self.logger.verbose(_sentence_of(finding))
        self.findings = [finding["code"] for finding in document["findings"]]

    @run_before("performance")
    def take_the_rates(self) -> None:
        """A performance variable for each rate; which ones there are, only the document tells."""
        self.perf_variables = {
            name: sn.make_performance_function(sn.defer(gbps), "GB/s")
            for name, gbps in rates_of(self._document()).items()
        }
        scopes = ("*", self.current_system.name, self.current_partition.fullname)
        referred = {name for scope in scopes for name in self.reference.get(scope, {})}
        if missing := sorted(referred - set(self.perf_variables)):
            self.logger.warning(
                f"{self._where()}: there are references for {', '.join(missing)}, which were not"
                f" measured; what was: {', '.join(self.perf_variables)}"
            )

    def _where(self) -> str:
        """The nodes, as one check may run on each of a partition."""
        return ",".join(self.job.nodelist or [self.current_partition.fullname])


@rfm.simple_test
class StreamgageCheck(StreamgageBase):
    """Memory bandwidth of one node, measured with threads."""

    descr = "Memory bandwidth of a node"

    @run_after("setup")
    def ask_for_the_cores(self) -> None:
        """An exclusive node has all of its CPUs for the job; elsewhere they are to be asked for."""
        self.num_cpus_per_task = self.threads


@rfm.simple_test
class StreamgageRanksCheck(StreamgageBase):
    """Memory bandwidth of all nodes of a job together, measured with MPI ranks."""

    descr = "Memory bandwidth by MPI ranks"
    valid_systems = ["+mpi"]
    ranks = variable(int, value=2)
    ranks_per_node = variable(int, type(None), value=None)

    @run_after("setup")
    def ask_for_the_ranks(self) -> None:
        """``threads`` are those of each rank."""
        self.num_tasks = self.ranks
        self.num_tasks_per_node = self.ranks_per_node
        self.num_cpus_per_task = self.threads
        self.executable_opts = ["--mpi", str(self.ranks), *self.executable_opts]


def rates_of(document: dict[str, Any]) -> dict[str, float]:
    """The median rates of a document by name, and what crossed the memory bus where it is known.

    The instruction set is named where the run compared several.
    """
    rates = {}
    plain_names = Counter(_name(result) for result in document["kernels"])
    for result in document["kernels"]:
        name = _name(result)
        if plain_names[name] > 1:
            name += f"_{result['isa']}"
        rates[name] = round(result["median_gbps"], 3)
        if result["hardware_gbps"] is not None:
            rates[f"{name}_hardware"] = round(result["hardware_gbps"], 3)
    return rates


def _name(result: dict[str, Any]) -> str:
    tuned = ["tuned"] if result["tuned"] else []
    return "_".join([result["kernel"], result["store"], *tuned])


def _findings(document: dict[str, Any], *severities: str) -> list[dict[str, str]]:
    return [each for each in document["findings"] if each["severity"] in severities]


def _sentence_of(finding: dict[str, str]) -> str:
    return f"{finding['code']}: {finding['text']}"
