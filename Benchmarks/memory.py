"""Memory, and what is done while nothing is to be done, beside Redis with the same data."""

import os
import resource
import socket
import time

import rows
import sync
from harness import Harness, exchange
from report import Line, Report

PART = "Memory, and rest"
CONNECTIONS = 1_000
IDLE_SECONDS = float(os.environ.get("BENCH_IDLE_SECONDS", "60"))
MEMBERS_IN_CALL = 10_000


def measure(harness: Harness, report: Report) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    pair = harness.daemon("memory"), harness.redis("redis-memory-use")
    _use(harness, pair)
    _add(report, "idle, after one save and one restore", pair, 8)
    connections = [_connection(server, call) for server, call in zip(pair, _calls()) for _ in range(CONNECTIONS)]
    time.sleep(1)
    _add(report, f"{CONNECTIONS:,} connections that have each made one restore and rest", pair, 8)
    for connection in connections:
        connection.close()
    _rest(report, pair)
    _fill(harness, pair)
    time.sleep(1)
    _add(report, f"{sync.COUNT:,} entities, right after they were synced", pair, 12)
    peak = pair[0].peak_megabytes()
    harness.stop(pair[0])
    pair = harness.daemon("memory"), pair[1]
    harness.control(pair[0], "restore", "--expired")
    time.sleep(1)
    _add(report, f"{sync.COUNT:,} entities, after a start and one restore", pair, 12)
    report.note(PART, f"Memory is Rss of /proc/PID/smaps_rollup, libraries included; its own is Private_Dirty. While it "
                      f"synced, restored had {peak:.1f} MB at most (VmHWM).")
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _calls() -> tuple[bytes, bytes]:
    return rows.varlink("Restore", b'{"app":"bench","scene":"main"}'), rows.redis(b"GET", b"main")


def _use(harness: Harness, pair) -> None:
    harness.control(pair[0], "save", text=rows.FIXED_STATE)
    harness.control(pair[0], "restore")
    exchange(pair[1], rows.redis(b"SET", b"main", rows.FIXED_STATE) + rows.redis(b"GET", b"main"), 2, b"\r\n")
    time.sleep(1)


def _connection(server, call: bytes) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(server.socket))
    connection.sendall(call)
    if b"selectedTab" not in connection.recv(1 << 16):
        raise SystemExit(f"bench: {server.name} does not give the state back")
    return connection


def _fill(harness: Harness, pair) -> None:
    harness.control(pair[0], "entities", "sync", "card", sync.ids_file())
    for start in range(1, sync.COUNT + 1, MEMBERS_IN_CALL):
        members = (b"%d" % number for number in range(start, min(start + MEMBERS_IN_CALL, sync.COUNT + 1)))
        exchange(pair[1], rows.redis(b"SADD", b"card", *members), 1, b"\r\n")


def _add(report: Report, work: str, pair, aim_megabytes: float) -> None:
    mine, theirs = (server.resident_megabytes() for server in pair)
    words = [f"{server.resident_megabytes():.1f} MB, {server.own_megabytes():.1f} its own" for server in pair]
    report.add(Line(PART, work, "Redis with the same data", *words, mine / theirs, 1.0,
                    aim_megabytes / theirs, higher_is_better=False, aim_words=f"≤ {aim_megabytes:g} MB"))


def _rest(report: Report, pair) -> None:
    time.sleep(1)
    before = [server.wake_ups() for server in pair]
    time.sleep(IDLE_SECONDS)
    mine, theirs = (server.wake_ups() - count for server, count in zip(pair, before))
    report.add(Line(PART, f"wake-ups at rest in {IDLE_SECONDS:g} s", "Redis", str(mine), str(theirs), float(mine), 0, 0,
                    higher_is_better=False))
    report.note(PART, "A wake-up is a voluntary context switch of any thread; the figure is their number.")
