from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from made_records import END, as_lines, good_records
from programs import misbehaving_engine

from streamgage.engine import EngineError, find_engine, stream_records
from streamgage.plan import Plan
from streamgage.records import Sampling

PLAN = Plan(
    kernels=["copy"],
    sampling=Sampling(min_samples=1, look_every=1, max_samples=1, budget_seconds=1),
)


def test_the_named_engine_comes_first(tmp_path: Path) -> None:
    engine = misbehaving_engine(tmp_path, "")
    assert find_engine({"STREAMGAGE_ENGINE": str(engine)}) == engine
    with pytest.raises(EngineError, match="correct it, or unset it"):
        find_engine({"STREAMGAGE_ENGINE": str(tmp_path)})


def test_the_path_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    with pytest.raises(EngineError, match=r"was not found beside .* `make build`"):
        find_engine({"PATH": str(tmp_path)})
    engine = tmp_path / "streamgage-engine"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    assert find_engine({"PATH": str(tmp_path)}) == engine


def test_the_engine_gets_the_plan_and_each_line_is_kept_before_it_is_seen(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes(as_lines(good_records()))
    engine = misbehaving_engine(tmp_path, f'test "$*" = "--plan -"; cat > plan\ncat {lines}')
    kept: list[bytes] = []
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        seen = []
        for record in stream_records(PLAN, engine=engine, keep=kept.append, note=print):
            seen.append(record)
            assert len(kept) == len(seen)
    finally:
        os.chdir(before)
    assert seen == good_records()
    assert b"".join(kept) == lines.read_bytes()
    assert b'"kernels":["copy"]' in (tmp_path / "plan").read_bytes()


def test_an_engine_deaf_to_sigterm_is_killed_after_its_grace(tmp_path: Path) -> None:
    line = as_lines(good_records()[:1]).decode()
    engine = misbehaving_engine(tmp_path, f"trap '' TERM\nprintf '%s' '{line}'\nexec sleep 1000")
    records = stream_records(
        PLAN, engine=engine, keep=lambda _: None, note=print, grace_seconds=0.05
    )
    next(records)
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(EngineError, match="did not end when asked to, and was killed") as failed:
        list(records)
    assert failed.value.exit_status == 143


def test_signal_handlers_are_put_back(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    end = as_lines([END]).decode()
    engine = misbehaving_engine(tmp_path, f"printf '%s' '{end}'")
    list(stream_records(PLAN, engine=engine, keep=lambda _: None, note=print))
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_engine_does_not_outlive_its_reader(tmp_path: Path) -> None:
    line = as_lines(good_records()[:1]).decode()
    body = f"echo $$ > {tmp_path}/pid\nprintf '%s' '{line}'\nexec sleep 1000"
    records = stream_records(
        PLAN, engine=misbehaving_engine(tmp_path, body), keep=lambda _: None, note=print
    )
    next(iter(records))
    records.close()  # type: ignore[attr-defined]
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
