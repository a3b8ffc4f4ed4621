"""What CUDA's driver and the kernels inside an engine do on a GPU, without the engine.

    python -m gpu_checking.probes NAME --engine FILE --number N --elements N --bytes N --output FILE

Each probe is a process: what one does to the GPU does not reach the others.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import re
import statistics
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from gpu_checking.driver import Argument, Attribute, Driver, DriverError, Grid, LoadedModule
from gpu_checking.embedded import CHAIN, ELEMENT_BYTES, Entry, Module, modules_of
from gpu_checking.findings import (
    ChainTime,
    ClockReading,
    Compilation,
    CopyRate,
    FindingWriter,
    GpuFacts,
    HintRate,
    LadderRate,
    ProvenLaunches,
    ShapeRate,
    WarmRate,
    WrongResult,
)
from gpu_checking.kernels import (
    OPERANDS,
    SCALAR,
    Kernel,
    content,
    kernels,
    pattern,
    reduced,
    stored,
)
from gpu_checking.shapes import Shape, arguments_of, grid_of, shapes_to_prove, shapes_to_race

MIB = 1 << 20
STANDARD_TRIAD = "streamgage_triad_double_1_1"
WIDE_TRIAD = "streamgage_triad_double_2_4"
RACED = ("init", "sum", "dot", "copy", "triad", "bracket")
"""One kernel of each kind of traffic."""
_UNCHANGED = 4096.0
"""What sums hold before a reduction: no group comes to it by chance."""


@dataclass(frozen=True)
class Request:
    """What a probe works with."""

    driver: Driver
    modules: list[Module]
    elements: int
    """Of the arrays whose every element is compared."""
    array_bytes: int
    """Of the arrays whose rates are measured."""
    write: FindingWriter
    match: str = ""
    """A regular expression: only kernels whose names have it are compared or raced."""


class Library:
    """The kernels of an engine, each compiled when it is first asked for."""

    def __init__(self, request: Request) -> None:
        self._driver = request.driver
        self._modules = request.modules
        self._match = request.match
        self._loaded: dict[str, LoadedModule] = {}

    def function(self, name: str) -> ctypes.c_void_p:
        """A kernel. Raises ``DriverError`` if there is none of that name for this GPU."""
        module = next((module for module in self._modules if name in module.names), None)
        if module is None:
            raise DriverError(f"the engine has no PTX of {name}")
        loaded = self._loaded.get(module.text)
        if loaded is None:
            loaded = self._loaded[module.text] = self._driver.load(module.text)
        if loaded.handle is None:
            raise DriverError(f"the driver does not take {name}: error {loaded.code} of CUDA")
        return self._driver.function(loaded, name)

    def entries(self, kernel: str, element_type: str) -> list[Entry]:
        """All shapes of a kernel that this GPU can run."""
        return [
            entry
            for module in self._modules
            if runs_here(module, self._driver)
            for entry in module.entries
            if (entry.kernel, entry.element_type) == (kernel, element_type)
            and re.search(self._match, entry.name)
        ]

    def entry(self, name: str) -> Entry:
        """The kernel of a name. Raises ``DriverError`` if there is none."""
        for module in self._modules:
            for entry in module.entries:
                if entry.name == name:
                    return entry
        raise DriverError(f"the engine has no PTX of {name}")


def runs_here(module: Module, driver: Driver) -> bool:
    """Whether the target of a PTX text is not newer than the GPU."""
    target = re.search(r"^\.target sm_(\d+)(\d)", module.text, re.M)
    major, minor = driver.attribute(Attribute.MAJOR) or 0, driver.attribute(Attribute.MINOR) or 0
    return target is None or (int(target[1]), int(target[2])) <= (major, minor)


class Arrays:
    """Four arrays of one element type on the device, and room for the sums of groups."""

    _MOST_SUMS = 1 << 21

    def __init__(self, driver: Driver, element_type: str, size: int) -> None:
        self.driver = driver
        self.element_type = element_type
        self.size = size
        self.addresses = [driver.allocate(size) for _ in OPERANDS]
        self.sums = driver.allocate(self._MOST_SUMS * 8)

    def fill(self, library: Library) -> None:
        """Fill all of them by the engine's own kernel, with values that stay in range."""
        name = f"streamgage_fill_{self.element_type}"
        values = content([0.5], self.element_type, 1)
        self.driver.write(self.sums, values)
        elements = self.size // ELEMENT_BYTES[self.element_type]
        for address in self.addresses:
            arguments: list[Argument] = [
                ctypes.c_uint64(address),
                ctypes.c_uint64(self.sums),
                ctypes.c_uint(1),
                ctypes.c_uint64(elements),
            ]
            self.driver.launch(library.function(name), Grid(1024, 256), arguments)
        self.driver.wait()

    def free(self) -> None:
        """Give the memory back."""
        for address in (*self.addresses, self.sums):
            self.driver.free(address)


@dataclass(frozen=True)
class Rates:
    """Measures rates of kernels over filled arrays of ``double``."""

    library: Library
    arrays: Arrays

    def queue(
        self, entry: Entry, shape: Shape, elements: int, passes: int = 1
    ) -> Callable[[], None]:
        """What queues one launch."""
        kernel = kernels()[entry.kernel]
        function = self.library.function(entry.name)
        arguments = arguments_of(
            entry,
            kernel,
            shape,
            arrays=self.arrays.addresses,
            sums=self.arrays.sums,
            scalar=0.5,
            elements=elements,
            passes=passes,
        )
        grid = grid_of(entry, kernel, shape, elements)
        return lambda: self.arrays.driver.launch(function, grid, arguments)

    def seconds(
        self, entry: Entry, shape: Shape, elements: int, *, launches: int, repeats: int = 5
    ) -> float:
        """The median time of a launch, by the device's stamps."""
        queue = self.queue(entry, shape, elements)
        return statistics.median(
            self.arrays.driver.timed(repeated(queue, launches)).event_seconds / launches
            for _ in range(repeats)
        )

    def rate(
        self,
        name: str,
        shape: Shape,
        array_bytes: int,
        *,
        launches: int,
        repeats: int = 5,
        standard: bool = False,
    ) -> ShapeRate:
        """The rate of a kernel by STREAM's counting."""
        entry = self.library.entry(name)
        kernel = kernels()[entry.kernel]
        elements = array_bytes // entry.element_bytes
        seconds = self.seconds(entry, shape, elements, launches=launches, repeats=repeats)
        return ShapeRate(
            kernel=entry.kernel,
            entry=name,
            items=shape.items,
            groups=grid_of(entry, kernel, shape, elements).groups,
            stages=shape.stages,
            array_bytes=array_bytes,
            launches=launches,
            gbps=kernel.arrays * array_bytes / seconds / 1e9,
            standard=standard,
        )


def repeated(queue: Callable[[], None], times: int) -> Callable[[], None]:
    """What does something so many times."""

    def all_of_them() -> None:
        for _ in range(times):
            queue()

    return all_of_them


@contextmanager
def rates_of(request: Request) -> Iterator[Rates]:
    """Filled arrays, which are given back at the end."""
    library = Library(request)
    arrays = Arrays(request.driver, "double", request.array_bytes)
    arrays.fill(library)
    try:
        yield Rates(library, arrays)
    finally:
        arrays.free()


def sizes_up_to(most: int, *sizes_in_mib: int) -> list[int]:
    """Those of the sizes that are not larger; at least that size."""
    return [size * MIB for size in sizes_in_mib if size * MIB <= most] or [most]


def probe_facts(request: Request) -> None:
    """What the driver says of the GPU."""
    driver = request.driver
    request.write(
        GpuFacts(
            name=driver.name(),
            pci_address=driver.pci_address(),
            driver_version=driver.version(),
            memory_bytes=driver.memory_bytes(),
            units=driver.units(),
            major=driver.attribute(Attribute.MAJOR) or 0,
            minor=driver.attribute(Attribute.MINOR) or 0,
            memory_kilohertz=driver.attribute(Attribute.MEMORY_KILOHERTZ) or 0,
            bus_bits=driver.attribute(Attribute.BUS_BITS) or 0,
            cache_bytes=driver.attribute(Attribute.CACHE_BYTES) or 0,
            integrated=bool(driver.attribute(Attribute.INTEGRATED)),
        )
    )


def probe_compiler(request: Request) -> None:
    """The time of the driver's compiler for each PTX text."""
    for module in request.modules:
        loaded = request.driver.load(module.text)
        request.write(
            Compilation(
                module=module.names[0],
                kernels=len(module.names),
                code=loaded.code,
                seconds=loaded.seconds,
                for_this_gpu=runs_here(module, request.driver),
            )
        )


def probe_results(request: Request) -> None:
    """Every kernel in every shape, to the last element."""
    library = Library(request)
    for element_type in ("double", "float"):
        proof = Proof(request, library, element_type)
        for kernel in kernels().values():
            proof.prove(kernel)
        proof.end()


class Proof:
    """Compares what kernels of one element type leave behind."""

    def __init__(self, request: Request, library: Library, element_type: str) -> None:
        self._request = request
        self._library = library
        self._type = element_type
        self._element_bytes = ELEMENT_BYTES[element_type]
        size = request.elements * self._element_bytes
        self._arrays = Arrays(request.driver, element_type, size)
        self._first = content(pattern("a"), element_type, request.elements)
        for operand, address in zip(OPERANDS, self._arrays.addresses, strict=True):
            values = content(pattern(operand), element_type, request.elements)
            request.driver.write(address, values)
        self._launches = self._wrong = 0

    def prove(self, kernel: Kernel) -> None:
        """Launch a kernel in all its shapes, for one pass and for three."""
        elements = self._request.elements
        self._request.driver.write(self._arrays.addresses[0], self._first)
        expected = {
            passes: b"" if kernel.reduces else content(stored(kernel, passes), self._type, elements)
            for passes in (1, 3)
        }
        units = self._request.driver.units()
        for entry in self._library.entries(kernel.name, self._type):
            for shape in shapes_to_prove(entry, kernel, units):
                for passes, left in expected.items():
                    self._compare(entry, kernel, shape, passes, left)

    def end(self) -> None:
        """Write how many there were, and give the memory back."""
        counts = ProvenLaunches(element_type=self._type, launches=self._launches, wrong=self._wrong)
        self._request.write(counts)
        self._arrays.free()

    def _compare(
        self, entry: Entry, kernel: Kernel, shape: Shape, passes: int, expected: bytes
    ) -> None:
        elements = self._request.elements
        driver = self._request.driver
        grid = grid_of(entry, kernel, shape, elements)
        if kernel.reduces:
            unchanged = content([_UNCHANGED], self._type, grid.groups)
            driver.write(self._arrays.sums, unchanged)
        else:
            driver.write(self._arrays.addresses[0], self._first)
        arguments = arguments_of(
            entry,
            kernel,
            shape,
            arrays=self._arrays.addresses,
            sums=self._arrays.sums,
            scalar=SCALAR,
            elements=elements,
            passes=passes,
        )
        driver.launch(self._library.function(entry.name), grid, arguments)
        driver.wait()
        self._launches += 1
        if kernel.reduces:
            right = self._sum(grid.groups) == reduced(kernel, elements)
        else:
            right = driver.read(self._arrays.addresses[0], len(expected)) == expected
        if not right:
            self._wrong += 1
            self._request.write(
                WrongResult(
                    entry=entry.name,
                    items=shape.items,
                    groups=grid.groups,
                    stages=shape.stages,
                    passes=passes,
                )
            )

    def _sum(self, groups: int) -> float:
        sums = array("d" if self._type == "double" else "f")
        sums.frombytes(self._request.driver.read(self._arrays.sums, groups * self._element_bytes))
        return sum(sums)


def probe_clock(request: Request) -> None:
    """The device's stamps against the host's clock, and what lies between two launches."""
    with rates_of(request) as rates:
        entry = rates.library.entry(WIDE_TRIAD)
        for array_bytes in (0, request.array_bytes):
            queue = rates.queue(entry, Shape(), array_bytes // entry.element_bytes)
            for launches in (1, 1, 3, 10, 101):
                times = request.driver.timed(repeated(queue, launches))
                request.write(
                    ClockReading(
                        launches=launches,
                        bytes=3 * array_bytes * launches,
                        event_seconds=times.event_seconds,
                        host_seconds=times.host_seconds,
                    )
                )


def probe_sizes(request: Request) -> None:
    """Copy and triad over arrays from small ones to the largest, by few and by many launches."""
    sizes = sizes_up_to(
        request.array_bytes, 8, 16, 24, 32, 64, 128, 160, 200, 240, 256, 512, 1024, 2048, 4096
    )
    shapes = ("1_1", "2_4")
    with rates_of(request) as rates:
        for size, kernel, shape, launches in product(sizes, ("copy", "triad"), shapes, (1, 32)):
            name = f"streamgage_{kernel}_double_{shape}"
            request.write(rates.rate(name, Shape(), size, launches=launches))


def probe_shapes(request: Request) -> None:
    """All shapes of some kernels, also those that the engine's tuner has not."""
    units = request.driver.units()
    with rates_of(request) as rates:
        for name in RACED:
            kernel = kernels()[name]
            request.write(_standard_rate(request, rates, kernel))
            for entry in rates.library.entries(name, "double"):
                for shape in shapes_to_race(entry, kernel, units):
                    # Without a grid, narrow shapes of a reduction only meet at barriers.
                    if kernel.reduces and shape.groups is None:
                        continue
                    rate = rates.rate(entry.name, shape, request.array_bytes, launches=2, repeats=3)
                    request.write(rate)


def _standard_rate(request: Request, rates: Rates, kernel: Kernel) -> ShapeRate:
    """The rate in the shape that device_shape.cpp calls standard."""
    groups = 4 * request.driver.units()
    shape = Shape(groups=groups + (groups % PERIOD_OF_ENGINE == 0)) if kernel.reduces else Shape()
    name = f"streamgage_{kernel.name}_double_1_{4 if kernel.reduces else 1}"
    return rates.rate(name, shape, request.array_bytes, launches=5, repeats=7, standard=True)


PERIOD_OF_ENGINE = 1021
"""``Expectation::kPeriod``: a grid of as many groups would not add up whole periods."""

_LOAD, _STORE = "ld.global.v2.f64", "st.global.v2.f64"
HINTS = {
    "nc": (_LOAD, "ld.global.nc.v2.f64"),
    "nc.L1::no_allocate": (_LOAD, "ld.global.nc.L1::no_allocate.v2.f64"),
    "nc.L1::no_allocate.L2::256B": (_LOAD, "ld.global.nc.L1::no_allocate.L2::256B.v2.f64"),
    "st.cg": (_STORE, "st.global.cg.v2.f64"),
    "st.wt": (_STORE, "st.global.wt.v2.f64"),
}
"""Cache hints that the engine has not: what of the PTX they replace, and by what."""


def hinted(text: str, hint: str) -> str:
    """PTX with a cache hint; what newer PTX says needs a newer version and target."""
    old, new = HINTS[hint]
    text = text.replace(old, new)
    if "::" not in new:
        return text
    return text.replace(".version 6.0", ".version 7.4").replace(".target sm_70", ".target sm_80")


def probe_hints(request: Request) -> None:
    """Cache hints that the engine has not, next to the same kernel without them."""
    with rates_of(request) as rates:
        for kernel in ("copy", "triad"):
            name = f"streamgage_{kernel}_double_2_4"
            plain = rates.rate(name, Shape(), request.array_bytes, launches=3)
            request.write(HintRate(kernel=kernel, hint="", code=0, gbps=plain.gbps))
            text = next(module.text for module in request.modules if name in module.names)
            for hint in HINTS:
                request.write(_hint_rate(request, rates, name, hint, hinted(text, hint)))


def _hint_rate(request: Request, rates: Rates, name: str, hint: str, text: str) -> HintRate:
    """The rate of a kernel of a changed text."""
    entry = rates.library.entry(name)
    loaded = request.driver.load(text)
    gbps = 0.0
    if loaded.handle is not None:
        changed = Library(Request(request.driver, [Module(text, (name,))], 0, 0, request.write))
        other = Rates(changed, rates.arrays)
        gbps = other.rate(name, Shape(), request.array_bytes, launches=3).gbps
    return HintRate(kernel=entry.kernel, hint=hint, code=loaded.code, gbps=gbps)


PASSES_INSIDE = 21
"""As ``ladder`` has on an H200 at four times its cache: samples last at least a millisecond."""


CACHES = (0.1, 0.4, 1, 2, 4, 8)
"""The working sets, as multiples of the cache."""


def probe_ladder(request: Request) -> None:
    """All passes inside one launch, as ``ladder`` has them, against one pass a launch."""
    cache = request.driver.attribute(Attribute.CACHE_BYTES) or 64 * MIB
    shape = Shape(groups=4 * request.driver.units() + 1)
    entry_name = "streamgage_triad_double_2_2"
    sizes = [min(int(cache * factor) // 3, request.array_bytes) for factor in CACHES]
    with rates_of(request) as rates:
        entry = rates.library.entry(entry_name)
        for elements in sorted({size // 8 // 4096 * 4096 for size in sizes} - {0}):
            for passes in (1, PASSES_INSIDE):
                queue = rates.queue(entry, shape, elements, passes)
                launches = PASSES_INSIDE // passes
                seconds = statistics.median(
                    request.driver.timed(repeated(queue, launches)).event_seconds for _ in range(5)
                )
                moved = 24 * elements * PASSES_INSIDE
                request.write(
                    LadderRate(
                        bytes=24 * elements, passes_inside=passes, gbps=moved / seconds / 1e9
                    )
                )


OFFSET_CHAIN = """.version 6.0
.target sm_70
.address_size 64
.visible .entry offsets(.param .u64 links, .param .u64 start, .param .u64 loads, .param .u64 end) {
.reg .u64 %links, %place, %address, %loads, %end;
.reg .pred %more;
ld.param.u64 %links, [links];
ld.param.u64 %place, [start];
ld.param.u64 %loads, [loads];
ld.param.u64 %end, [end];
LOOP:
add.u64 %address, %links, %place;
ld.global.u64 %place, [%address];
sub.s64 %loads, %loads, 1;
setp.ne.u64 %more, %loads, 0;
@%more bra LOOP;
st.global.u64 [%end], %place;
ret;
}
"""
"""The chain as OpenCL has it: a link is an offset, which is added."""
_LINE_BYTES = 128


def probe_chain(request: Request) -> None:
    """A chain by addresses, as ``latency`` has it by CUDA, against one by offsets."""
    driver = request.driver
    by_address = Library(request).function(CHAIN)
    by_offset = driver.function(driver.load(OFFSET_CHAIN), "offsets")
    end = driver.allocate(8)
    for size in sizes_up_to(request.array_bytes, 1, 8, 32, 128, 256):
        links = driver.allocate(size)
        for link, function, base in (("address", by_address, links), ("offset", by_offset, 0)):
            driver.write(links, chain(size, base))
            seconds = _seconds_of_load(driver, function, (links, base, end), size)
            request.write(ChainTime(bytes=size, link=link, seconds=seconds))
        driver.free(links)


def _seconds_of_load(
    driver: Driver, function: ctypes.c_void_p, places: tuple[int, int, int], size: int
) -> float:
    """The median of five walks, after one that does not count. ``places``: links, start, end."""
    links, start, end = places
    loads = max(min(size // _LINE_BYTES, 1 << 17), 1 << 14)
    arguments = [ctypes.c_uint64(number) for number in (links, start, loads, end)]
    queue = partial(driver.launch, function, Grid(1, 1), arguments)
    driver.timed(queue)
    return statistics.median(driver.timed(queue).event_seconds for _ in range(5)) / loads


def chain(size: int, base: int) -> bytes:
    """One circle through all lines of a working set in random order, by links from ``base`` on."""
    places = list(range(0, size, _LINE_BYTES))
    random.Random(1).shuffle(places)
    words = array("Q", bytes(size))
    for place, following in zip(places, [*places[1:], places[0]], strict=True):
        words[place // 8] = base + following
    return words.tobytes()


def probe_warm(request: Request) -> None:
    """Samples right after pauses, in which clocks may have fallen."""
    size = min(256 * MIB, request.array_bytes)
    with rates_of(request) as rates:
        for pause in (0.0, 2.0, 5.0):
            time.sleep(pause)
            for number in range(60):
                rate = rates.rate(WIDE_TRIAD, Shape(), size, launches=5, repeats=1)
                request.write(WarmRate(pause_seconds=pause, number=number, gbps=rate.gbps))


def probe_copies(request: Request) -> None:
    """Copies of pinned memory each way, and copies on the device by the driver."""
    driver = request.driver
    most = min(request.array_bytes, 1024 * MIB)
    device = driver.allocate(most)
    for size in sizes_up_to(most, 4, 128, 1024):
        host = driver.pin(size)
        count = ctypes.c_size_t(size)
        ways = {
            "to-device": ("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(device), host),
            "from-device": ("cuMemcpyDtoHAsync_v2", host, ctypes.c_uint64(device)),
        }
        for way, (function, target, source) in ways.items():
            queue = partial(driver.call, function, target, source, count, driver.stream)
            _copy_rate(request, way, size, queue)
        driver.unpin(host)
    if driver.has("cuMemcpyDtoDAsync_v2"):
        half = ctypes.c_size_t(most // 2)
        addresses = ctypes.c_uint64(device), ctypes.c_uint64(device + most // 2)
        _copy_rate(
            request,
            "on-device",
            2 * (most // 2),  # read and written
            lambda: driver.call("cuMemcpyDtoDAsync_v2", *addresses, half, driver.stream),
        )
    driver.free(device)


def _copy_rate(request: Request, way: str, size: int, queue: Callable[[], None]) -> None:
    """Three copies in a row, after one that does not count."""
    request.driver.timed(queue)
    times = request.driver.timed(repeated(queue, 3))
    request.write(
        CopyRate(
            way=way,
            bytes=size,
            event_gbps=3 * size / times.event_seconds / 1e9,
            host_gbps=3 * size / times.host_seconds / 1e9,
        )
    )


PROBES: dict[str, Callable[[Request], None]] = {
    "facts": probe_facts,
    "compiler": probe_compiler,
    "results": probe_results,
    "clock": probe_clock,
    "sizes": probe_sizes,
    "shapes": probe_shapes,
    "hints": probe_hints,
    "launches": probe_ladder,
    "chain": probe_chain,
    "warm": probe_warm,
    "copies": probe_copies,
}


def main(words: list[str]) -> int:
    """Run one probe; 1 if it cannot be done, which a sentence says."""
    parser = argparse.ArgumentParser(description=__doc__, prog="gpu_checking.probes")
    parser.add_argument("name", choices=PROBES)
    parser.add_argument("--engine", type=Path, required=True)
    parser.add_argument("--number", type=int, default=0)
    parser.add_argument("--elements", type=int, default=(1 << 18) - 64)
    parser.add_argument("--bytes", type=int, default=1 << 30)
    parser.add_argument("--match", default="")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(words)
    with options.output.open("w", encoding="utf-8") as file:
        try:
            driver = Driver(options.number)
            size = min(options.bytes, driver.memory_bytes() // 8 // MIB * MIB)
            modules = modules_of(options.engine)
            write = FindingWriter(file)
            request = Request(driver, modules, options.elements, size, write, options.match)
            PROBES[options.name](request)
        except DriverError as error:
            print(f"gpu_check: {error}")
            return 1
    print(f"gpu_check: {options.name}: done")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
