#!/usr/bin/env python3
"""Measures restored beside what people would use instead: the same disk, the same loads, in turns.

Usage: bench.py RESTORED RESTORECTL LOAD_GENERATOR FLOOR FOLDER
Writes FOLDER/results.md, results.svg and growth.svg, and exits 1 where a bound is missed.
BENCH_SECONDS (1.5) is the length of one measurement, BENCH_REPEATS (5) how many of each are taken, BENCH_PARTS which
parts are (all: throughput,processes,sync,memory,writes,growth), BENCH_ROWS which rows of throughput by a part of their
name; BENCH_IDLE_SECONDS (60), BENCH_IDS (1000000) and BENCH_SCENES (100000) are sizes.
"""

import importlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

from harness import REPEATS, SECONDS, Harness
from report import Report

PARTS = ["throughput", "processes", "sync", "memory", "writes", "growth"]
CHOSEN = [part for part in os.environ.get("BENCH_PARTS", "").split(",") if part] or PARTS
BUSY = 0.7  # load average above which two servers and their client no longer have two cores to themselves


def machine() -> str:
    model = next(
        (line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown CPU"
    )
    peer = subprocess.run(["redis-server", "--version"], capture_output=True, text=True).stdout.split()
    version = next((part[2:] for part in peer if part.startswith("v=")), "?")
    sqlite = subprocess.run(["sqlite3", "--version"], capture_output=True, text=True).stdout.split()[:1]
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release()}, Redis {version}, SQLite {''.join(sqlite)}"


def measure(harness: Harness, report: Report) -> None:
    for part in CHOSEN:
        print(f"{part}:", flush=True)
        began = time.monotonic()
        try:
            importlib.import_module(part).measure(harness, report)
        finally:
            harness.stop_all()
        print(f"  ({time.monotonic() - began:.0f} s)", flush=True)


def main() -> int:
    *programs, folder = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:])
    results = pathlib.Path(folder)
    results.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    head = (f"`make bench`, {time.strftime('%Y-%m-%d')}, {machine()}. Medians of {REPEATS} × {SECONDS:g} s, load of the "
            f"machine before: {load:.1f}.")
    print(head, flush=True)
    if load > BUSY:
        print(f"bench: the machine is busy (load {load:.1f}): the numbers say little", file=sys.stderr)
    # A folder on the disk that the project lies on; its path is short enough for a socket's address (108 bytes).
    run = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=results))
    os.chdir(run)
    report = Report()
    try:
        measure(Harness(*programs), report)
    finally:
        os.chdir(results)
        shutil.rmtree(run)
    (results / "results.md").write_text(f"{head}\n\n{report.markdown()}")
    rest = [part for part in dict.fromkeys(line.part for line in report.lines) if part != "Growth"]
    report.draw(results / "results.svg", rest, "restored beside what one would use instead")
    report.draw(results / "growth.svg", ["Growth"], "restore: how many times as long")
    for line in report.missed:
        print(f"bench: missed: {line}")
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
