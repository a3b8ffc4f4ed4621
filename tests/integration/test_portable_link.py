"""What is linked as the portable engine is: it asks for no newer glibc, and does what it should."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import REPOSITORY

PORTABLE = REPOSITORY / "portable"
PROGRAM = """
#include <pthread.h>
#include <sys/stat.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

static int initialised = 0;
__attribute__((constructor)) static void initialise(int count, char**, char**) {
  initialised = count;
}

int main(int count, char** arguments) {
  struct stat found, same;
  if (stat(arguments[0], &found) != 0 || lstat("/proc/self/exe", &same) != 0) return 1;
  if (!S_ISREG(found.st_mode) || !S_ISLNK(same.st_mode) || stat("/none", &same) != -1) return 2;
  std::timed_mutex mutex;
  mutex.lock();
  bool locked = true;
  std::thread([&] { locked = mutex.try_lock_for(std::chrono::milliseconds(10)); }).join();
  try {
    throw std::runtime_error("thrown");
  } catch (const std::exception& error) {
    const auto shared = std::make_shared<unsigned>(std::random_device("arc4random")());
    std::printf("%d %d %s %.1f\\n", initialised, locked, error.what(), std::exp(count - 2.0));
  }
}
"""


@pytest.fixture(name="libraries", scope="module")
def fixture_libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("glibc")
    subprocess.run([sys.executable, PORTABLE / "glibc_stubs.py", "gcc", folder], check=True)
    return folder


def newest(file: Path) -> tuple[int, ...]:
    """The newest version of glibc that the file names."""
    said = subprocess.run(
        ["readelf", "--wide", "--version-info", file], check=True, capture_output=True, text=True
    ).stdout
    return max(tuple(map(int, each.split("."))) for each in re.findall(r"GLIBC_([0-9.]+)", said))


def test_a_program_runs_and_asks_for_glibc_2_28_at_most(tmp_path: Path, libraries: Path) -> None:
    (tmp_path / "program.cpp").write_text(PROGRAM, encoding="utf-8")
    options = ["-std=c++20", "-pthread", "-static-libstdc++", "-static-libgcc"]
    options += ["-L", str(libraries), "-Wl,--wrap=__libc_start_main"]
    program = tmp_path / "program"
    subprocess.run(["g++", tmp_path / "program.cpp", "-o", program, *options], check=True)
    assert newest(program) <= (2, 28)
    done = subprocess.run([program, "one"], check=True, capture_output=True, text=True)
    assert done.stdout == "2 0 thrown 1.0\n"


@pytest.mark.parametrize("name", ["libc-2.28", "libm", "loader"])
def test_the_libraries_have_nothing_newer(libraries: Path, name: str) -> None:
    assert newest(libraries / f"{name}.so") <= (2, 28)


def test_what_glibc_2_28_lacks_is_named_by_the_linker(tmp_path: Path, libraries: Path) -> None:
    source = tmp_path / "newer.c"
    source.write_text(
        "int close_range(unsigned, unsigned, int);\n"
        "int main(void) { return close_range(90, 91, 0); }\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["gcc", source, "-o", tmp_path / "newer", "-L", libraries],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "undefined reference to `close_range'" in done.stderr
