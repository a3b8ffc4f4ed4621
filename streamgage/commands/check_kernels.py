"""Kernels of a user's own, checked and not measured."""

from __future__ import annotations

from typing import Unpack, cast

from streamgage.api.declaration import command, declaration_of
from streamgage.api.kernel_checks import KernelChecks, checks_of
from streamgage.api.kernel_files import BuildOptions
from streamgage.api.measurement import Measurement, RunOptions, WaitOptions
from streamgage.api.values import Files, several
from streamgage.commands.measure import PlanOptions, ThreadOptions, measure, planned
from streamgage.errors import UsageError


class Options(BuildOptions, ThreadOptions, WaitOptions, total=False):
    """What building, placing and running have to know."""


@command()
def check_kernels(kernel_file: Files, **options: Unpack[Options]) -> KernelChecks:
    """Check kernels of your own and measure nothing: ``streamgage measure --check``.

    Each is compiled, and run between guard pages in a process of its own, so that one that crashes
    takes nothing with it. A kernel that fails is in ``failures``, and is no exception.

    Args:
        kernel_file: Kernels of your own, .c, .cpp, .f90 or .so.
        **BuildOptions
        **ThreadOptions
        **WaitOptions

    Raises:
        UsageError: there is no such file, or an option cannot be met.
        Interrupted: it was stopped (Ctrl-C).
    """
    files = several("--kernel-file", kernel_file)  # an iterator would be empty the second time
    if not files:
        raise UsageError("There is no kernel to check: name a file with one.")
    defaults = {name: each.default for name, each in declaration_of(measure).options.items()}
    asked = cast(PlanOptions, {**defaults, **options, "kernel_file": files})
    waiting: RunOptions = {
        "no_wait": options["no_wait"],
        "progress": options["progress"],
        "store": None,
    }
    plan = planned(asked)
    return checks_of(plan.own, plan.plan, Measurement(waiting))
