"""CUDA's driver by ctypes: what the probes need of it. Nothing of a toolkit is used."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

Argument = ctypes.c_uint64 | ctypes.c_uint | ctypes.c_double | ctypes.c_float
"""Of a kernel; addresses are 64-bit numbers."""

LIBRARY = "libcuda.so.1"
FOLDERS = ("", "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib")
"""Where the engine looks, too: vendor_folders.cpp. The first one stands for the system's loader."""


class Attribute:
    """Numbers of CUdevice_attribute, from cuda.h."""

    UNITS = 16
    INTEGRATED = 18
    MEMORY_KILOHERTZ = 36
    BUS_BITS = 37
    CACHE_BYTES = 38
    MAJOR = 75
    MINOR = 76


class DriverError(Exception):
    """A function of the driver failed, or there is no driver; the text is one sentence."""


@dataclass(frozen=True)
class Grid:
    """How many groups of how many work-items are launched, with how much shared memory."""

    groups: int
    items: int
    shared_bytes: int = 0


@dataclass(frozen=True)
class Times:
    """The duration of the same work in seconds, by two clocks."""

    event_seconds: float
    """Between the device's stamps of start and end."""
    host_seconds: float
    """From the first launch until the host knows that the last one has ended."""


@dataclass(frozen=True)
class LoadedModule:
    """What the driver made of a PTX text."""

    handle: ctypes.c_void_p | None
    """``None`` if the driver does not take the text."""
    code: int
    """The driver's answer; 0 is success."""
    seconds: float


class Driver:
    """The GPU of a number, in the order of PCI addresses, with this process's context on it."""

    def __init__(self, number: int) -> None:
        """Open the GPU. Raises ``DriverError``."""
        os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
        self._library = _loaded()
        self.call("cuInit", 0)
        self._device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self._device), number)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._device)
        self.call("cuCtxSetCurrent", context)
        self.stream = ctypes.c_void_p()
        """All that is queued goes through it."""
        self.call("cuStreamCreate", ctypes.byref(self.stream), 0)
        self._images: list[ctypes.c_char_p] = []
        """Drivers may read the text of a module again when a kernel is asked for."""
        self._begin, self._end = self._event(), self._event()

    def call(self, function: str, *arguments: object) -> None:
        """Call a function of the driver. Raises ``DriverError`` if it fails."""
        code = getattr(self._library, function)(*arguments)
        if code != 0:
            raise DriverError(f"{function} fails with error {code} of CUDA")

    def has(self, function: str) -> bool:
        """Whether the driver has a function."""
        return hasattr(self._library, function)

    def attribute(self, number: int) -> int | None:
        """An attribute of the device; ``None`` if the driver does not know it."""
        value = ctypes.c_int()
        code = self._library.cuDeviceGetAttribute(ctypes.byref(value), number, self._device)
        return value.value if code == 0 else None

    def name(self) -> str:
        """The name of the GPU."""
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, len(text), self._device)
        return text.value.decode("utf-8", "replace")

    def pci_address(self) -> str:
        """Where the GPU is plugged in."""
        text = ctypes.create_string_buffer(64)
        self.call("cuDeviceGetPCIBusId", text, len(text), self._device)
        return text.value.decode("utf-8", "replace")

    def version(self) -> int:
        """The version of CUDA that the driver has, such as 12040."""
        value = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(value))
        return value.value

    def memory_bytes(self) -> int:
        """The size of the device's memory."""
        value = ctypes.c_size_t()
        self.call("cuDeviceTotalMem_v2", ctypes.byref(value), self._device)
        return value.value

    def units(self) -> int:
        """The number of compute units."""
        return self.attribute(Attribute.UNITS) or 1

    def allocate(self, size: int) -> int:
        """The address of so many new bytes of the device's memory."""
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address.value

    def free(self, address: int) -> None:
        """Give memory of the device back."""
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def pin(self, size: int) -> ctypes.c_void_p:
        """The address of so many new bytes of the host's memory that do not move."""
        address = ctypes.c_void_p()
        self.call("cuMemHostAlloc", ctypes.byref(address), ctypes.c_size_t(size), 0)
        return address

    def unpin(self, address: ctypes.c_void_p) -> None:
        """Give pinned memory back."""
        self.call("cuMemFreeHost", address)

    def write(self, address: int, content: bytes) -> None:
        """Copy bytes to the device."""
        size = ctypes.c_size_t(len(content))
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_char_p(content), size)

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes from the device."""
        content = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", content, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return content.raw

    def load(self, text: str) -> LoadedModule:
        """Have the driver compile PTX."""
        handle = ctypes.c_void_p()
        image = ctypes.c_char_p(text.encode())
        self._images.append(image)
        start = time.perf_counter()
        code = self._library.cuModuleLoadDataEx(ctypes.byref(handle), image, 0, None, None)
        seconds = time.perf_counter() - start
        return LoadedModule(handle if code == 0 else None, code, seconds)

    def function(self, module: LoadedModule, name: str) -> ctypes.c_void_p:
        """A kernel of a module."""
        handle = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(handle), module.handle, name.encode())
        return handle

    def launch(self, function: ctypes.c_void_p, grid: Grid, arguments: Sequence[Argument]) -> None:
        """Queue one launch of a kernel."""
        places = [ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in arguments]
        packed = (ctypes.c_void_p * len(places))(*places)
        shape = (grid.groups, 1, 1, grid.items, 1, 1)
        self.call("cuLaunchKernel", function, *shape, grid.shared_bytes, self.stream, packed, None)

    def wait(self) -> None:
        """Wait until all that is queued has ended."""
        self.call("cuStreamSynchronize", self.stream)

    def timed(self, queue: Callable[[], None]) -> Times:
        """Time what a function queues, and wait for it."""
        start = time.perf_counter()
        self.call("cuEventRecord", self._begin, self.stream)
        queue()
        self.call("cuEventRecord", self._end, self.stream)
        self.wait()
        host_seconds = time.perf_counter() - start
        milliseconds = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(milliseconds), self._begin, self._end)
        # A driver for tests may do nothing in no time.
        return Times(max(milliseconds.value / 1e3, 1e-9), host_seconds)

    def _event(self) -> ctypes.c_void_p:
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event


def _loaded() -> ctypes.CDLL:
    """The driver's library. Raises ``DriverError``."""
    for folder in FOLDERS:
        try:
            return ctypes.CDLL(str(Path(folder) / LIBRARY))
        except OSError:
            continue
    raise DriverError(f"there is no CUDA driver on this system: {LIBRARY} is missing")
