"""The variables and files that every command shares."""

from __future__ import annotations

VARIABLES = {
    "STREAMGAGE_ENGINE": "The engine to start, in place of the one beside the program.",
    "STREAMGAGE_PIN_LIBRARY": "The library that binds threads of other programs.",
    "STREAMGAGE_LOCK": "The file that keeps measurements apart; none: take no lock.",
    "XDG_STATE_HOME": "Where the records of runs are kept; default: ~/.local/state.",
    "XDG_CACHE_HOME": "Where shapes and built programs are kept; default: ~/.cache.",
    "HWLOC_SYNTHETIC, HWLOC_XMLFILE, HWLOC_FSROOT": "Show another machine than this one, with"
    " topology and pin --show.",
    "PETSC_DIR, PETSC_ARCH": "The PETSc that study petsc takes.",
    "NO_COLOR": "Set to anything: no colours.",
}

FILES = {
    "~/.local/state/streamgage": "The records of runs, the newest of which show takes.",
    "~/.cache/streamgage": "The quickest access shapes of this machine; programs that were built.",
    "/run/lock/streamgage.lock": "Held by what measures, so that two do not spoil each other.",
}
