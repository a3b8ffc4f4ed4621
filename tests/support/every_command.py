"""Runs every command of an installed streamgage, in every format of output.

    python3 every_command.py STREAMGAGE [--missing EXTRA,..] [--recording FOLDER]

It needs nothing but Python, so that it also runs where nothing of the project is. A command must
do its work, or end with one sentence that says what is missing: for what ``--missing`` names, with
the command that installs it. Prints a line for each that does neither, and then ends with status 1.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

SIZE = ("--size", "4MiB")
STREAM = ("--kernels", "copy,scale,add,triad")
FEW = (*SIZE, "--rounds", "1")
SMALL = ("--from", "128KiB", "--to", "256KiB", "--steps", "1", "--rounds", "1")
MEASURED = (
    (
        "measure",
        *SIZE,
        "--kernels",
        "copy,scale,add,triad",
        "--stores",
        "plain",
        "--no-tune",
        "--quick",
    ),
    ("scale", "1", *FEW, "--quick"),
    ("ladder", *SMALL),
    ("latency", *SMALL, "--quick", "--mixes", "none"),
    ("numa", *FEW, "--kernels", "sum"),
    ("links", "--size", "1MiB", "--quick"),
    ("measure --runs", "1", *SIZE, "--quick", "--kernels", "copy", "--stores", "plain"),
    ("compilers", *FEW, "--kernels", "triad", "--flags", "-O2"),
    ("program --scaling", *FEW, "--threads", "1", "--", "sleep", "0.01"),
    ("program", *FEW, "--threads", "1", "--bytes", "1MB", "--", "sleep", "0.01"),
    ("program --petsc", *FEW, "--ranks", "1", "--refine", "1"),
    ("check", "--glance", "--expect", "triad=0.001GB/s"),
)
"""Commands that store a result, one of each kind, in as little time as may be."""
OTHERS = (
    ("--version",),
    ("--help",),
    ("doctor",),
    ("doctor", "--json"),
    ("doctor", "--counters"),
    ("explain",),
    ("explain", "write-allocate"),
    ("explain", "gpu", "slow"),
    ("results", "export", "last", "--files", "files"),
    ("results", "import", "exported.json"),
    ("interpret", "stream.log"),
    ("pin", "S0:0", "--show"),
    ("pin", "S0:0", "--", "true"),
    ("expected", "--cloud"),
    ("results", "rm", "1"),
    ("history",),
    ("traffic", "--", "true"),
    ("program --ratio", *FEW, "--warmups", "0", "--probe", "0.05", "--", "true"),
    ("fleet run", "--launcher", "ssh", "--nodes", "no-such-node", "--deadline", "5s", "--no-store"),
)
MAY_LACK = {
    "compilers": "compiler",
    "links": "GPU",
    "program --petsc": "PETSc|compiler|MPI",
    "doctor": "",
    "traffic": "",
    "fleet run": "ssh|no-such-node",
    "check": "try again on an idle node",
    "expected": "streamgage-cloud",
}
"""Commands that may have nothing to do on this machine, with what their sentence then names."""
PICTURES = (".svg", ".png", ".pdf", ".eps")
PAGES = (".html", ".md", ".pdf")
EXTRA_OF_FORMAT = {"parquet": "parquet", "openmetrics": "openmetrics"}
STREAM_LOG = """\
Function    Best Rate MB/s  Avg time     Min time     Max time
Copy:          240600.0     0.133        0.133        0.133
Scale:         175600.0     0.182        0.182        0.182
Add:           186200.0     0.258        0.258        0.258
Triad:         186500.0     0.257        0.257        0.257
"""
SITE = "postgresql://bench@db.example.org/results"
NODE = {"record": "node", "time": "2026-01-01T00:00:00Z"}
NOT_OF_KIND = "is not available for a result of|this result has no"
"""What is said of a format that other kinds of result have, or of STREAM's table where there was no
time for some of its kernels."""
FORMATS = re.compile(r"is not known: use (.+)\.$")
WAIT_SECONDS = 600


class Driver:
    """Runs one streamgage in a folder of its own, and notes what went wrong."""

    def __init__(self, program: Sequence[str], missing: Sequence[str], folder: Path) -> None:
        self.program = list(program)
        self.missing = missing
        self.folder = folder
        self.wrong: list[str] = []
        self.runs = 0
        self.used: set[str] = set()

    def start(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the program with these arguments; its state stays in the folder."""
        self.runs += 1
        where = {f"XDG_{name}_HOME": str(self.folder / name) for name in ("STATE", "DATA", "CACHE")}
        done = subprocess.run(
            [*self.program, *" ".join(arguments[:1]).split(), *arguments[1:]],
            cwd=self.folder,
            env={**os.environ, **where, "HOME": str(self.folder), "STREAMGAGE_LOCK": "none"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=WAIT_SECONDS,
            check=False,
        )
        self.used.add(arguments[0])
        if "Traceback" in done.stdout + done.stderr:
            self.blame(arguments, f"a traceback: {done.stderr.splitlines()[-1:]}")
        return done

    def blame(self, arguments: Sequence[str], why: str) -> None:
        """Note what went wrong."""
        self.wrong.append(f"streamgage {' '.join(arguments)}: {why}")

    def sentence(self, done: subprocess.CompletedProcess[str]) -> str:
        """The only line of stderr; empty if there are more."""
        lines = done.stderr.splitlines()
        return lines[0] if len(lines) == 1 and lines[0].startswith("streamgage: ") else ""

    def works(self, *arguments: str, lacks: str | None = None) -> str | None:
        """Run it, and return its output; ``None`` if it says that this machine lacks something."""
        done = self.start(*arguments)
        if done.returncode == 0:
            return done.stdout
        if lacks is None or not re.search(lacks, done.stdout + done.stderr):
            self.blame(arguments, f"status {done.returncode}: {done.stderr.strip()[-300:]}")
        return None

    def works_with(self, extra: str, file: str, *arguments: str) -> None:
        """Check that it writes ``file``, or only names the command that installs the extra."""
        path = self.folder / file
        if extra not in self.missing:
            if self.works(*arguments) is not None and not (path.exists() and path.stat().st_size):
                self.blame(arguments, f"{file} is empty")
            return
        done = self.start(*arguments)
        sentence = self.sentence(done)
        named = f"streamgage[{extra}]" in sentence
        if done.returncode != 2 or "install" not in sentence or not named:
            self.blame(arguments, f"status {done.returncode}, without advice: {done.stderr[-300:]}")
        if path.exists():
            self.blame(arguments, f"{file} was made all the same")

    def formats(self, *arguments: str) -> list[str]:
        """The formats of a command, as its refusal of another one names them."""
        found = FORMATS.search(self.sentence(self.start(*arguments, "--format", "no-format")))
        if found is None:
            self.blame(arguments, "does not say which formats it has")
            return []
        return found[1].split(", ")

    def every_format(self, *arguments: str) -> None:
        """The command in each of its formats, to stdout."""
        for form in self.formats(*arguments):
            command = (*arguments, "--format", form)
            if form in EXTRA_OF_FORMAT and arguments[:2] == ("results", "export"):
                file = f"out.{form}"
                self.works_with(EXTRA_OF_FORMAT[form], file, *command, "-o", file)
                continue
            text = self.works(*command, lacks=NOT_OF_KIND)
            if text is not None and not self._is(form, text):
                self.blame(command, f"this is no {form}: {text[:200]!r}")

    def _is(self, form: str, text: str) -> bool:
        if form == "json":
            json.loads(text)
        if form == "csv":
            rows = list(csv.reader(text.splitlines()))
            return len(rows) > 1 and len({len(each) for each in rows}) == 1
        return bool(text.strip())

    def run(self, recording: Path | None) -> None:
        """Run every command in every format."""
        (self.folder / "stream.log").write_text(STREAM_LOG)
        kinds = list(self._measure())
        for number in range(1, len(kinds) + 1):
            self.every_format("show", str(number))
        first, scale = str(kinds.index("measure") + 1), str(kinds.index("scale") + 1)
        for suffix in PICTURES if "report" not in self.missing else PICTURES[:1]:
            file = f"picture{suffix}"
            self.works_with("report", file, "show", scale, "-o", file)
        self._pages(scale)
        for each in (("results", "export"), ("history",), ("topology",), ("expected",)):
            self.every_format(*each)
        (self.folder / "exported.json").write_text(
            self.works("results", "export", "--format", "json") or ""
        )
        self.every_format("compare", first, first)
        self.every_format("interpret", "stream.log")
        (self.folder / "scaling.json").write_text(
            self.works("show", scale, "--format", "json") or ""
        )
        self.every_format("scale", "--predict", "1", "--result", "scaling.json")
        self.works_with("report", "machine.svg", "topology", "-o", "machine.svg")
        (self.folder / "model.gguf").write_bytes(small_model())
        of_model = ("program", *FEW, "--threads", "1", "--model", "model.gguf")
        self.works_with("models", "model.json", *of_model, "--format", "json", "-o", "model.json")
        if recording is not None:
            replayed = ("traffic", "--replay", str(recording))
            self.works(*replayed)
            self.works_with("report", "traffic.svg", *replayed, "-o", "traffic.svg")
        self._fleet()
        if "postgresql" in self.missing:
            self.works_with("postgresql", "listed.json", "history", "--store", SITE)
        for arguments in OTHERS:
            self.works(*arguments, lacks=MAY_LACK.get(arguments[0]))
        listed = re.findall(r"^  ([a-z]+(?: [a-z]+)?) {2,}", self.works("--help") or "", re.M)
        for name in set(listed) - self.used:
            self.blame([name], "was not tried")

    def _pages(self, number: str) -> None:
        for suffix in PAGES:
            file = f"page{suffix}"
            if suffix == ".md":
                self.works("report", number, "-o", file)
            elif suffix == ".pdf" and "report" not in self.missing:
                self.works("report", number, "-o", file, lacks="Chrom")
            else:
                self.works_with("report", file, "report", number, "-o", file)

    def _fleet(self) -> None:
        lines = (
            {**NODE, "host": f"n{n}", "figures": [{"kernel": "triad", "gbps": 100 + n / 10}]}
            for n in range(9)
        )
        text = "".join(f"{json.dumps(each)}\n" for each in lines)
        (self.folder / "fleet.jsonl").write_text(text)
        judged = ("fleet judge", "fleet.jsonl")
        self.every_format(*judged)
        self.works_with("report", "fleet.html", *judged, "--page", "fleet.html")
        self.works_with("parquet", "rows.parquet", *judged, "--rows", "rows.parquet")

    def _measure(self) -> Iterator[str]:
        """One result of each kind that this machine can have."""
        for arguments in MEASURED:
            name = arguments[0]
            if self.works(*arguments, lacks=MAY_LACK.get(name)) is not None:
                yield name
        file = "measured.svg"  # what cannot be drawn is said before anything is measured
        self.works_with("report", file, *MEASURED[1], "-o", file)


def small_model() -> bytes:
    """A GGUF file with one tensor, of 32 x 4 floats."""

    def text(letters: bytes) -> bytes:
        return struct.pack("<Q", len(letters)) + letters

    arch = text(b"general.architecture") + struct.pack("<I", 8) + text(b"llama")
    tensor = text(b"output.weight") + struct.pack("<IQQIQ", 2, 32, 4, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + arch + tensor
    return head + bytes(-len(head) % 32) + bytes(4 * 32 * 4)


def main() -> int:
    """Run everything, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", nargs="+", help="the program, or what runs it")
    parser.add_argument("--missing", default="", help="extras that are not installed")
    parser.add_argument("--recording", type=Path, help="a recording for `traffic --replay`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        driver = Driver(options.program, options.missing.split(","), Path(folder))
        driver.run(options.recording)
    for line in driver.wrong:
        print(line)
    print(f"{driver.runs} runs, {len(driver.wrong)} wrong")
    return 1 if driver.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
