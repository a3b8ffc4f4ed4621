"""Compilers: which there are, what they build, and what became of the loops."""

from streamgage.compiling.build import Build, build_kernels
from streamgage.compiling.find import Compiler, Language, find_compilers, given_compiler
from streamgage.compiling.kernel_file import (
    KernelBuild,
    KernelFile,
    build_kernel,
    compilers_of,
    kernel_file,
)
from streamgage.compiling.listing import Listing, read_listings
from streamgage.compiling.runtimes import find_shared_library
from streamgage.compiling.sources import find_sources

__all__ = [
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
    "read_listings",
]
