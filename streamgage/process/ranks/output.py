"""What ranks print, sorted: launchers mix words of their own with the records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from streamgage.records.spool import Spool

_CHUNK = 1 << 20
_MOST_LINES = 40


class RanksOutput:
    """A file in memory that the launcher writes to; its records go on to ``spool``."""

    def __init__(self, descriptor: int, spool: Spool) -> None:
        """Let ``descriptor`` be written to by the launcher."""
        self.descriptor = descriptor
        self.said: list[bytes] = []
        """The first lines that are no records."""
        self._spool = spool
        self._read = 0
        self._rest = b""

    def fetch(self) -> bytes:
        """The records that came since the last call, in whole lines."""
        while chunk := os.pread(self.descriptor, _CHUNK, self._read):
            self._read += len(chunk)
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            for line in lines:
                self._take(line + b"\n")
        return self._spool.fetch()

    def _take(self, line: bytes) -> None:
        if line.startswith(b'{"record"'):
            os.write(self._spool.descriptor, line)
        elif line.strip() and len(self.said) < _MOST_LINES:
            self.said.append(line)


@contextmanager
def ranks_output(spool: Spool) -> Iterator[RanksOutput]:
    """The output, for as long as the ranks run."""
    descriptor = os.memfd_create("streamgage-ranks")
    try:
        yield RanksOutput(descriptor, spool)
    finally:
        os.close(descriptor)
