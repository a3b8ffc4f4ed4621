"""File systems that let no program run, or nothing be written: one sentence, or all the same."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from example_records import as_lines, good_records
from mounts import mount
from programs import (
    REPOSITORY,
    WAIT_SECONDS,
    command,
    environment,
    misbehaving_engine,
    one_sentence,
    real_engine,
    streamgage,
)


@pytest.fixture
def noexec(tmp_path: Path) -> Iterator[Path]:
    """A folder in which no program can run."""
    place = tmp_path / "noexec"
    place.mkdir()
    mount("-t", "tmpfs", "-o", "noexec", "tmpfs", place)
    yield place
    subprocess.run(["umount", place], check=True)


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def with_read_only_packages(arguments: list[str]) -> list[str]:
    """A command that sees the packages of this Python as another user installed them.

    It alone does: other tests use the same packages at the time.
    """
    packages = sysconfig.get_paths()["purelib"]
    return ["unshare", "--mount", "sh", "-c", READ_ONLY, packages, *arguments]


def test_a_temporary_folder_without_programs_is_named(tmp_path: Path, noexec: Path) -> None:
    kernel = REPOSITORY / "examples" / "kernels" / "triad.c"
    run = streamgage("measure", "--kernel-file", kernel, folder=tmp_path, TMPDIR=str(noexec))
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        f"Programs compiled in {noexec} cannot run, because that file system is mounted with"
        " noexec: set TMPDIR to a folder elsewhere."
    )


def test_an_engine_that_was_copied_to_where_no_program_runs_is_named(
    tmp_path: Path, noexec: Path
) -> None:
    engine = Path(shutil.copy(real_engine(), noexec))
    run = streamgage("topology", folder=tmp_path, engine=engine)
    assert run.returncode == 1
    assert "(its file system is mounted with noexec)" in one_sentence(run.stderr)


def test_packages_that_cannot_be_written_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {tmp_path}/lines")
    run = subprocess.run(
        with_read_only_packages(command("measure", "--format", "csv")),
        cwd=tmp_path,
        env=environment(tmp_path, engine),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert one_sentence(run.stderr) == "To see this again: streamgage show 1"


def test_a_home_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "lines").write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f"cat {tmp_path}/lines")
    mount("-t", "tmpfs", "-o", "ro", "tmpfs", home)
    try:
        where = {f"XDG_{name}_HOME": "" for name in ("STATE", "DATA", "CACHE")}
        where |= {"HOME": str(home), "TMPDIR": str(tmp_path)}
        run = streamgage("measure", "--format", "csv", folder=tmp_path, engine=engine, **where)
        assert run.returncode in (0, 1) and run.stdout.count("\n") == 5
        (records,) = tmp_path.glob("streamgage-*.jsonl")
        said = run.stderr.splitlines()
        assert any(f"the records of this run go to {records}" in each for each in said)
        assert said[-1] == f"streamgage: To see this again: streamgage show {records}"
        again = streamgage("show", records, folder=tmp_path, engine=engine, **where)
        assert again.returncode == 0
    finally:
        subprocess.run(["umount", home], check=True)


def test_a_file_that_may_not_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text("{}")
    lines.chmod(0)
    without_rights = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    run = subprocess.run(
        [*without_rights, *command("fleet", "judge", str(lines))],
        cwd=tmp_path,
        env=environment(tmp_path, real_engine()),
        capture_output=True,
        text=True,
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert one_sentence(run.stderr) == (
        f"{lines} cannot be read: Permission denied; name a file with lines of nodes."
    )
