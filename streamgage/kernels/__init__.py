"""Finds compilers, builds kernels with them, and reads the machine code that results."""

from streamgage.kernels.build import Build, build_kernels
from streamgage.kernels.find import (
    Compiler,
    Language,
    find_compilers,
    find_shared_library,
    given_compiler,
    named_with,
    names_of,
)
from streamgage.kernels.kernel_file import (
    FOR_DEVICES,
    KernelBuild,
    KernelFile,
    build_kernel,
    compilers_of,
    kernel_file,
)
from streamgage.kernels.listing import Listing, read_listings
from streamgage.kernels.sources import find_sources

__all__ = [
    "FOR_DEVICES",
    "Build",
    "Compiler",
    "KernelBuild",
    "KernelFile",
    "Language",
    "Listing",
    "build_kernel",
    "build_kernels",
    "compilers_of",
    "find_compilers",
    "find_shared_library",
    "find_sources",
    "given_compiler",
    "kernel_file",
    "named_with",
    "names_of",
    "read_listings",
]
