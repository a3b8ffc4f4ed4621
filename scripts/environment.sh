# shellcheck shell=bash
# Sourced by every script that compiles or installs.

# Where ccache is installed, nothing is compiled twice, in whatever folder.
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
  # What precompiled headers want; see ccache's manual.
  export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
fi
# Ninja alone would take two more, and several builds may run at once.
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 2)}

# A release of a package on PyPI changes nothing here until its version stands in this file.
if [[ -z ${STREAMGAGE_NEWEST:-} ]]; then
  export PIP_CONSTRAINT=$PWD/constraints.txt
fi
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_RETRIES=8

# Mirrors and networks fail for a moment; what fails three times has failed.
try_again() { # COMMAND ...
  local pause
  for pause in 10 30; do
    "$@" && return
    printf '%s failed; once more in %s s\n' "$1" "$pause" >&2
    sleep "$pause"
  done
  "$@"
}
