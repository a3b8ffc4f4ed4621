"""Runs the real engine with fewer samples, for tests of everything around a measurement.

``write_engine`` puts a program of the engine's name into a folder. It changes the plan that it is
given, and then becomes the engine.
"""

from __future__ import annotations

import sys
from pathlib import Path

PROGRAM = """#!{python}
import io, json, os, sys
engine = {engine!r}
arguments = sys.argv[1:]
OF_NODE = set("--check --json --seconds --kernels --stores --threads --cpus --size".split())
if not arguments or OF_NODE & set(arguments):
    if "--seconds" in arguments:
        arguments[arguments.index("--seconds") + 1] = "0.5"
    else:
        arguments += ["--seconds", "0.5"]
    if "--size" in arguments:
        arguments[arguments.index("--size") + 1] = "4MiB"
    else:
        arguments += ["--size", "4MiB"]
    os.execv(engine, [engine, *arguments])
if "--plan" in arguments:
    at = arguments.index("--plan") + 1
    with sys.stdin if arguments[at] == "-" else open(arguments[at]) as file:
        text = file.read()
    arguments[at] = "-"
else:
    os.execv(engine, [engine, *arguments])
if text.strip():  # of ranks only the first is given the plan
    plan = json.loads(text)
    if "sampling" in plan:
        few = {{"min_samples": 2, "look_every": 2, "max_samples": 4, "budget_seconds": 20}}
        plan["sampling"] = {{**plan["sampling"], **few}}
    if not any(plan.get(size) for size in ("array_bytes", "working_set_bytes", "chain_bytes")):
        plan["array_bytes"] = 1 << 22
    if plan.get("checks"):
        plan["checks"] = False
        plan["evidence"] = []
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


def write_engine(real: Path, folder: Path) -> Path:
    """Write a program that stands in for the engine ``real``."""
    stand_in = folder / real.name
    stand_in.write_text(PROGRAM.format(python=sys.executable, engine=str(real)), "utf-8")
    stand_in.chmod(0o755)
    return stand_in
