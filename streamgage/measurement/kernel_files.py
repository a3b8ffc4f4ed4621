"""Compiles and checks a user's own kernels, as the options say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

from streamgage.advice import command_name
from streamgage.api.runs import Ending
from streamgage.errors import UsageError
from streamgage.kernels import (
    FOR_DEVICES,
    KernelFile,
    compilers_of,
    given_compiler,
    kernel_file,
)
from streamgage.kernels.build import folder_for_libraries
from streamgage.kernels.own_kernels import (
    TIMEOUT_SECONDS,
    KernelRequest,
    NoKernelLeftError,
    OwnKernels,
    prepare,
)
from streamgage.measurement.ending import NothingMeasuredError, ended_as_a_run
from streamgage.measurement.measurement import Measurement
from streamgage.options.values import Commands, Files, Seconds, seconds_within, several
from streamgage.plan import Plan
from streamgage.results.compilers.own_kernel import CompiledKernel
from streamgage.store.destination import StoredResult

MOST_TIMEOUT_SECONDS = 86_400.0


class BuildOptions(TypedDict, total=False):
    """Options for building and running your own kernels.

    Args:
        cc: Compiler for kernel files, e.g. 'clang -O2'; once per language. Default: the compiler
            found, with -O3 -march=native.
        kernel_timeout: How long one run of your own kernel may take; default: 60.
    """

    cc: Commands | None
    kernel_timeout: Seconds | None


class KernelOptions(BuildOptions, total=False):
    """Options for your own kernels.

    Args:
        kernel_file: Your own kernel: .c, .cpp, .f90 or .so; .cl, .cu or .hip for a device
            (docs/own-kernels.md); may be given several times.
        **BuildOptions
    """

    kernel_file: Files | None


def given_kernels(options: KernelOptions, *, device: str | None = None) -> KernelRequest | None:
    """Return the files with their compilers; ``None`` if none was named.

    ``device``: where they are to run; ``None``: on the processor. Raises ``UsageError`` if a part
    is wrong or needs an option that is missing.
    """
    cc, timeout = options["cc"], options["kernel_timeout"]
    paths = several("--kernel-file", options["kernel_file"])
    if not paths:
        for option, value in (("--cc", cc), ("--kernel-timeout", timeout)):
            if value:
                raise UsageError(f"{option} needs --kernel-file: name your own kernel.")
        return None
    named = tuple(kernel_file(each) for each in paths)
    for each in named:
        require_place(each, device)
    twice = [path for path, times in Counter(each.path for each in named).items() if times > 1]
    if twice:
        raise UsageError(f"--kernel-file names {twice[0]} twice: leave one out.")
    compilers = compilers_of(named, [given_compiler(each) for each in several("--cc", cc)])
    return KernelRequest(named, compilers, given_timeout(timeout))


def compiled_kernel(files: Files | None, timeout: Seconds | None) -> CompiledKernel | None:
    """Return the file that every compiler builds; ``None`` if none was named.

    Raises ``UsageError`` if it cannot be compiled, or there are several.
    """
    paths = several("--kernel-file", files)
    if not paths:
        if timeout is not None:
            raise UsageError("--kernel-timeout needs --kernel-file: name your own kernel.")
        return None
    if len(paths) > 1:
        raise UsageError(
            f"--kernel-file names {len(paths)} files, but {command_name('compilers')} builds one"
            " kernel by several compilers: name one."
        )
    file = kernel_file(paths[0])
    require_place(file, None)
    return CompiledKernel(file, given_timeout(timeout))


def require_place(file: KernelFile, device: str | None) -> None:
    """Raise ``UsageError`` if a kernel does not run on ``device``; ``None``: the processor."""
    kind = file.of_device
    if kind is None and device is None:
        return
    if kind is None:
        raise UsageError(
            f"--kernel-file {file.source} does not run on a device: leave --device out, or name a"
            f" file for it, {FOR_DEVICES}."
        )
    if device is None:
        raise UsageError(
            f"--kernel-file {file.source} is in {kind.name}, which runs on a device: measure it"
            f" with --device {kind.drivers[0]}:0, or name a file in another language."
        )
    if device.partition(":")[0] not in kind.drivers:
        raise UsageError(
            f"--kernel-file {file.source} is in {kind.name}, which runs on {kind.devices}, not"
            f" on {device}: name a device and a file for it, {FOR_DEVICES}."
        )


def given_timeout(value: Seconds | None) -> float:
    """Return the seconds of ``--kernel-timeout``. Raises ``UsageError`` for anything else."""
    if value is None:
        return TIMEOUT_SECONDS
    return seconds_within("--kernel-timeout", value, 0.1, MOST_TIMEOUT_SECONDS)


@contextmanager
def kernels_of(
    request: KernelRequest | None, plan: Plan, measurement: Measurement
) -> Iterator[OwnKernels]:
    """Compile and check the kernels; the built files exist until the context ends.

    A note names each kernel that fails, and why. Raises ``NothingMeasuredError`` if one fails and
    the caller needs all, and ``MeasurementInterrupt`` if it is stopped.
    """
    if request is None:
        yield OwnKernels()
        return
    notes, destination = measurement.notes, measurement.destination
    with (
        ended_as_a_run(notes, destination),
        folder_for_libraries() as folder,
    ):
        try:
            yield prepare(request, folder, plan, notes, wait=measurement.wait)
        except NoKernelLeftError as error:
            ending = Ending(
                error.exit_status, error, StoredResult(), destination, tuple(notes.sentences)
            )
            raise NothingMeasuredError(ending) from error
