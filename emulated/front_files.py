"""Runs ``streamgage`` with the arguments given, then prints the files that Python needs for that.

    python emulated/front_files.py ARGUMENTS ...

The last line of stdout is a JSON object: ``python``, the program; ``path``, where it looks for
modules; ``files``, the modules that it loaded and the files that it opened.
"""

from __future__ import annotations

import atexit
import json
import runpy
import sys
from pathlib import Path


def main() -> None:
    """Run the program in this process, and look at what it opens."""
    opened: set[str] = set()

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            opened.add(str(arguments[0]))

    def say() -> None:
        modules = {getattr(each, "__file__", None) for each in list(sys.modules.values())}
        names = opened | {name for name in modules if name is not None}
        files = sorted(name for name in names if name[0] == "/" and Path(name).is_file())
        python = getattr(sys, "_base_executable", sys.executable)
        print(json.dumps({"python": python, "path": sys.path[1:], "files": files}))

    sys.addaudithook(look)
    atexit.register(say)
    sys.argv = ["streamgage", *sys.argv[1:]]
    runpy.run_module("streamgage", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
