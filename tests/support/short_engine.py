"""The real engine, asked for fewer samples: for tests of what is around a measurement.

``write_engines`` puts programs of the engines' names into a folder. Each changes the plan that it
is given, and then becomes the engine.
"""

from __future__ import annotations

import sys
from pathlib import Path

PROGRAM = """#!{python}
import io, json, os, sys
engine = {engine!r}
arguments = sys.argv[1:]
if arguments == ["--table"]:
    plan = {{"schema": 1, "kernels": ["copy", "triad"], "array_bytes": 1 << 22, "sampling": {{}}}}
    arguments += ["--plan", "-"]
    text = json.dumps(plan)
elif "--plan" in arguments:
    at = arguments.index("--plan") + 1
    with sys.stdin if arguments[at] == "-" else open(arguments[at]) as file:
        text = file.read()
    arguments[at] = "-"
else:
    os.execv(engine, [engine, *arguments])
if text.strip():  # of ranks only the first is given the plan
    plan = json.loads(text)
    if "sampling" in plan:
        few = {{"min_samples": 2, "look_every": 2, "max_samples": 4, "budget_seconds": 0.5}}
        plan["sampling"] = {{**plan["sampling"], **few}}
    if not any(plan.get(size) for size in ("array_bytes", "working_set_bytes", "chain_bytes")):
        plan["array_bytes"] = 1 << 22
    if plan.get("checks"):
        plan["checks"] = False
    if plan.get("tuning"):
        plan["tuning"]["budget_seconds"] = 0.3
    if plan.get("load"):
        plan["load"]["seconds"] = 0.01
        plan["load"]["shares"] = plan["load"]["shares"][-2:]
    text = json.dumps(plan)
handle = os.memfd_create("plan", 0)
os.write(handle, text.encode())
os.lseek(handle, 0, os.SEEK_SET)
os.dup2(handle, 0)
os.execv(engine, [engine, *arguments])
"""


def write_engines(real: Path, folder: Path) -> Path:
    """Stand-ins of ``real`` and of the engines for ranks beside it; the first of them."""
    for path in (real, *real.parent.glob("streamgage-engine-mpi*")):
        stand_in = folder / path.name
        stand_in.write_text(PROGRAM.format(python=sys.executable, engine=str(path)), "utf-8")
        stand_in.chmod(0o755)
    return folder / real.name
