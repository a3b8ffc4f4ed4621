"""Boots an emulated machine, runs jobs in it and gives back what they said.

QEMU emulates every instruction, so that a guest runs wherever QEMU does, and its times mean
nothing. The guest is Debian's kernel with a file system in memory, which holds busybox, the
programs under test with their libraries, and the jobs; ``emulated/init`` runs them and hands the
answers back.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
KEPT = REPOSITORY / "build" / "guests"
WAIT_SECONDS = 3000
"""For a whole guest; even a busy machine needs only a small part of it."""
QUIET = "nowatchdog nosoftlockup rcupdate.rcu_cpu_stall_suppress=1 quiet"
"""For the guest's kernel: where this machine is busy, an emulated CPU stands still for seconds, and
what the kernel wrote of that would stand within the answer."""

PROCESSORS = {
    "amd64": ("qemu-system-x86_64", "ttyS0"),
    "arm64": ("qemu-system-aarch64", "ttyAMA0"),
}
"""The emulator and the console of each of Debian's architectures."""


@dataclass(frozen=True)
class Machine:
    """An emulated machine; the options are QEMU's."""

    name: str
    processor: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """A line for the guest's shell, with what its standard input holds."""

    name: str
    command: str
    input: str = ""


@dataclass(frozen=True)
class JobEnd:
    """How a job ended, and what it printed."""

    status: int
    output: str
    errors: str


class GuestError(Exception):
    """The guest did not answer; the sentence says why and where its console's log is."""


def run_jobs(
    machine: Machine, programs: Iterable[Path], jobs: Iterable[Job], files: Iterable[Path] = ()
) -> dict[str, JobEnd]:
    """Boot the machine, run the jobs in turn, and give back what became of each, by its name.

    The programs lie in the guest's ``/bin``, and the files where they lie here.
    """
    jobs = list(jobs)
    with tempfile.TemporaryDirectory(prefix="streamgage-guest-") as folder:
        root = Path(folder, "root")
        lay_out_files(root, KEPT / machine.processor / "busybox", programs, files)
        for number, job in enumerate(jobs):
            lay_out_job(root / "jobs" / f"{number:02}-{job.name}", job)
        archive = Path(folder, "initramfs")
        pack(root, archive)
        console = boot(machine, archive)
    answers = unpack(answer_in(console.read_text("utf-8", "replace"), console))
    return {job.name: answers[f"{number:02}-{job.name}"] for number, job in enumerate(jobs)}


def lay_out_files(
    root: Path, busybox: Path, programs: Iterable[Path], files: Iterable[Path]
) -> None:
    """Copy the programs and files with their libraries, busybox and the first program."""
    (root / "bin").mkdir(parents=True)
    shutil.copy(busybox, root / "bin" / "busybox")
    shutil.copy(REPOSITORY / "emulated" / "init", root / "init")
    for program in programs:
        shutil.copy(program, root / "bin" / program.name)
        lay_out(root, libraries(program))
    for file in files:
        lay_out(root, [file])
        if file.suffix not in {".py", ".pyc"}:
            lay_out(root, libraries(file))


def lay_out(root: Path, files: Iterable[Path]) -> None:
    """Copy files to where they lie here, with their times, by which Python knows its own."""
    for file in files:
        place = root / file.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, place)


def libraries(program: Path) -> list[Path]:
    """The shared libraries that a program of this machine is linked with; none of a static one."""
    ldd = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    if "not a dynamic executable" in ldd.stdout + ldd.stderr:
        return []
    if ldd.returncode != 0 or "not found" in ldd.stdout:
        raise GuestError(f"ldd cannot tell the libraries of {program}: {ldd.stdout}{ldd.stderr}")
    return [Path(name) for name in re.findall(r"(/\S+) \(0x", ldd.stdout)]


def lay_out_job(folder: Path, job: Job) -> None:
    """Write the files from which the guest's first program runs the job."""
    folder.mkdir(parents=True)
    (folder / "command").write_text(job.command + "\n", "utf-8")
    (folder / "input").write_text(job.input, "utf-8")


def pack(root: Path, archive: Path) -> None:
    """Pack a folder as the kernel unpacks it, with all files owned by root."""
    names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    with archive.open("wb") as file:
        subprocess.run(
            ["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"],
            input=names.encode(),
            stdout=file,
            cwd=root,
            check=True,
        )


def boot(machine: Machine, archive: Path) -> Path:
    """Run the machine until it switches itself off; the file holds all that its console said."""
    emulator, terminal = PROCESSORS[machine.processor]
    console = KEPT / f"{machine.name}.console"
    console.write_bytes(b"")
    command = [
        *(emulator, "-accel", "tcg,thread=multi", "-nodefaults", "-no-reboot"),
        *("-display", "none", "-monitor", "none", "-serial", f"file:{console}"),
        *machine.options,
        *("-kernel", str(KEPT / machine.processor / "kernel"), "-initrd", str(archive)),
        *("-append", f"console={terminal} panic=-1 {QUIET}"),
    ]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_SECONDS,
        )
    except FileNotFoundError:
        raise GuestError(f"there is no {emulator}; `scripts/bootstrap test` installs it") from None
    except subprocess.TimeoutExpired:
        raise GuestError(f"{WAIT_SECONDS} s were not enough; {end_of(console)}") from None
    if done.returncode != 0:
        raise GuestError(f"{emulator} ended with {done.returncode}: {done.stderr.strip()}")
    return console


def end_of(console: Path) -> str:
    """The last lines of the console's log, for a message."""
    lines = console.read_text("utf-8", "replace").splitlines()[-60:]
    return f"the console's log, {console}, ends\n" + "\n".join(lines)


def answer_in(log: str, console: Path) -> bytes:
    """The packed answers; all must be there: an emulator ends well even where its guest panics."""
    found = re.search(r"^guest: answer ([0-9a-f]{64})\s*$(.*)^guest: end\s*$", log, re.M | re.S)
    if found is None:
        raise GuestError(f"the guest did not get to its end; {end_of(console)}")
    answer = base64.b64decode(re.sub(r"\s", "", found[2]))
    if hashlib.sha256(answer).hexdigest() != found[1]:
        raise GuestError(f"the answer was garbled on its way; {end_of(console)}")
    return answer


def unpack(answer: bytes) -> dict[str, JobEnd]:
    """What became of each job, by the name of its folder."""
    files: dict[str, dict[str, str]] = {}
    with tarfile.open(fileobj=io.BytesIO(answer)) as archive:
        for member in archive:
            content = archive.extractfile(member)
            if content is not None:
                path = Path(member.name)
                files.setdefault(path.parent.name, {})[path.name] = content.read().decode(
                    "utf-8", "replace"
                )
    return {
        name: JobEnd(int(texts["status"]), texts["output"], texts["errors"])
        for name, texts in files.items()
    }
