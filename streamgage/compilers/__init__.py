"""Compilers: which there are, the plain kernels by each, and what became of the loops."""

from streamgage.compilers.build import Build, build_kernels
from streamgage.compilers.find import Compiler, Language, find_compilers, given_compiler
from streamgage.compilers.listing import Listing, read_listings
from streamgage.compilers.runtimes import find_shared_library
from streamgage.compilers.sources import find_sources

__all__ = [
    "Build",
    "Compiler",
    "Language",
    "Listing",
    "build_kernels",
    "find_compilers",
    "find_shared_library",
    "find_sources",
    "given_compiler",
    "read_listings",
]
