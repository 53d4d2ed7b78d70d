"""Calls per second beside Redis, row by row, and beside what a program would do without any daemon."""

import os

import rows
from harness import SECONDS, Harness, exchange, in_turns, medians
from report import Line, Report

ONLY = os.environ.get("BENCH_ROWS", "")
PART = "Calls per second"
WRITERS = 16


def measure(harness: Harness, report: Report) -> None:
    ours = harness.daemon("restored")
    peers = {"memory": harness.redis("redis-memory"), "durable": harness.redis("redis-durable", durable=True)}
    _fill(harness, ours, peers["memory"])
    for row in rows.ROWS:
        if ONLY not in row.name:
            continue
        work, against = row.name.split(" / ")
        for connections, must in row.minimums.items():
            mine, theirs = (medians(loads) for loads in in_turns(
                lambda: harness.load(ours, row.ours, row.ours_expects, connections, change=row.ours_change),
                lambda: harness.load(
                    peers[row.peer], row.theirs, row.theirs_expects, connections, protocol="redis",
                    replies=row.theirs_replies, change=row.theirs_change,
                ),
            ))
            report.add(_line(work, f"{against}, Redis", connections, mine, theirs, must, row.aims.get(connections)))
    if ONLY in "save without a daemon":
        _alone(harness, report, ours)


def _line(work, against, connections, mine, theirs, must, aim) -> Line:
    def shown(load):
        return f"{load.rate:,.0f}/s, p50 {load.p50:,.0f}, p99 {load.p99:,.0f} µs"

    unit = "connection" if connections == 1 else "connections"
    return Line(PART, f"{work}, {connections} {unit}", against, shown(mine), shown(theirs), mine.rate / theirs.rate, must, aim)


def _fill(harness: Harness, ours, memory) -> None:
    """The entities and the scenes that the restore rows read."""
    for kind, count in rows.KINDS.items():
        ids = [f"{kind}-{number}".encode() for number in range(count)]
        harness.control(ours, "entities", "put", kind, text=b"\n".join(ids))
        exchange(memory, rows.redis(b"SADD", kind.encode(), *ids), 1, b"\r\n")
    for number in range(rows.SCENES):
        scene = rows.SCENE.replace(rows.CONNECTION, b"%04d" % number)
        harness.control(ours, "save", "--scene", scene.decode(), text=rows.FIXED_STATE)
        exchange(memory, rows.redis(b"SET", scene, rows.FIXED_STATE), 1, b"\r\n")


def _alone(harness: Harness, report: Report, ours) -> None:
    """Saving through the daemon beside a program that keeps its state itself."""
    size = str(len(rows.STATE))
    mine, theirs = (medians(loads) for loads in in_turns(
        lambda: harness.load(ours, rows.SAVE, '"changed":true'),
        lambda: harness.floor_load("upsert", "alone.db", size, str(SECONDS)),
    ))
    report.add(_line("durable save of 1 KB", "C loop in process, SQLite WAL FULL", 1, mine, theirs, 0.55, 0.75))
    os.makedirs("files", exist_ok=True)
    mine, theirs = (medians(loads) for loads in in_turns(
        lambda: harness.load(ours, rows.SAVE, '"changed":true', WRITERS),
        lambda: harness.floor_load("files", "files", size, str(WRITERS), str(SECONDS)),
    ))
    against = f"{WRITERS} threads: temporary file, fsync, rename, fsync of the folder"
    report.add(_line("durable save of 1 KB", against, WRITERS, mine, theirs, 4, 7))
