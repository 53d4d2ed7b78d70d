"""A million ids from a file: through the socket into the entity table, and into a table of SQLite's shell."""

import os
import pathlib
import random
import statistics
import time
import uuid

from harness import Harness, in_turns, run
from report import Line, Report

PART = "A million ids"
COUNT = int(os.environ.get("BENCH_IDS", "1000000"))
REPEATS = min(3, int(os.environ.get("BENCH_REPEATS", "5")))


def ids_file() -> str:
    """A file of ids as `SELECT id` gives them; made once."""
    path = pathlib.Path("ids")
    if not path.exists():
        path.write_text("".join(f"{number}\n" for number in range(1, COUNT + 1)))
    return str(path)


def _uuids_file() -> str:
    generator = random.Random(7)
    pathlib.Path("uuids").write_text("".join(f"{uuid.UUID(int=generator.getrandbits(128))}\n" for _ in range(COUNT)))
    return "uuids"


def measure(harness: Harness, report: Report) -> None:
    for words, file in (("numbers in order", ids_file()), ("UUIDs in no order", _uuids_file())):
        mine, theirs = (statistics.median(column) for column in in_turns(
            lambda: _ours(harness, file), lambda: _theirs(file), repeats=REPEATS
        ))
        report.add(Line(PART, f"restorectl entities sync, {COUNT:,} {words}", "sqlite3 .import into an equal table",
                        f"{mine:.2f} s", f"{theirs:.2f} s", theirs / mine, 0.5, 1.0))
    report.note(PART, "Each into an empty table, on disk when it ends; the figure is the other's time by ours.")


def _ours(harness: Harness, file: str) -> float:
    server = harness.daemon(f"sync-{time.monotonic_ns()}")
    began = time.monotonic()
    harness.control(server, "entities", "sync", "card", file)
    elapsed = time.monotonic() - began
    harness.stop(server)
    return elapsed


def _theirs(file: str) -> float:
    database = f"import-{time.monotonic_ns()}.db"
    run(["sqlite3", database, "pragma journal_mode = wal; create table card (id text primary key) strict, without rowid"])
    began = time.monotonic()
    run(["sqlite3", database, f".import {file} card"])
    return time.monotonic() - began
