#!/usr/bin/env python3
"""Measures restored beside Redis: the same disk, the same load generator, in turns.

Usage: bench.py RESTORED RESTORECTL LOAD_GENERATOR FOLDER
Writes FOLDER/results.md, prints it, and exits 1 where a minimum is missed.
BENCH_SECONDS (2) is the length of one measurement, BENCH_REPEATS (5) how many of each are taken.
BENCH_ROWS: only the rows whose name holds this text.
"""

import os
import pathlib
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import rows
import servers

SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
REPEATS = int(os.environ.get("BENCH_REPEATS", "5"))
ONLY = os.environ.get("BENCH_ROWS", "")
WARM_UP = 0.3
BUSY = 0.7  # load average above which two servers and their client no longer have two cores to themselves


class Bench:
    def __init__(self, restored: str, restorectl: str, generator: str, folder: pathlib.Path):
        self.restored_program, self.restorectl, self.generator = pathlib.Path(restored), restorectl, generator
        self.folder = folder
        self.servers: dict[str, servers.Server] = {}
        self.lines: list[str] = []
        self.missed: list[str] = []

    def start(self) -> None:
        self.servers["restored"] = servers.restored(self.folder, self.restored_program)
        self.servers["memory"] = servers.redis(self.folder, durable=False)
        self.servers["durable"] = servers.redis(self.folder, durable=True)

    def stop(self) -> None:
        for server in self.servers.values():
            server.stop()

    def control(self, *arguments: str, text: bytes = b"") -> str:
        command = [self.restorectl, "--socket", str(self.servers["restored"].socket), "--app", "bench", *arguments]
        done = subprocess.run(command, input=text, capture_output=True, timeout=120)
        if done.returncode != 0:
            raise SystemExit(f"bench: {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode()

    def load(self) -> None:
        """The entities and the scenes that the restore rows read."""
        memory = self.servers["memory"].socket
        for kind, count in rows.KINDS.items():
            ids = [f"{kind}-{number}".encode() for number in range(count)]
            self.control("entities", "put", kind, text=b"\n".join(ids))
            call(memory, rows.redis(b"SADD", kind.encode(), *ids), b":%d" % count)
        for number in range(rows.SCENES):
            scene = rows.SCENE.replace(rows.CONNECTION, b"%04d" % number)
            self.control("save", "--scene", scene.decode(), text=rows.FIXED_STATE)
            call(memory, rows.redis(b"SET", scene, rows.FIXED_STATE), b"+OK")

    def once(self, row: rows.Row, is_ours: bool, connections: int) -> list[float]:
        server, protocol = ("restored", "varlink") if is_ours else (row.peer, "redis")
        path, change_path = self.folder / "call", self.folder / "change"
        path.write_bytes(row.ours if is_ours else row.theirs)
        command = [self.generator, protocol, str(self.servers[server].socket), str(path)]
        command += [row.ours_expects if is_ours else row.theirs_expects]
        command += [str(connections), str(WARM_UP), str(SECONDS), str(1 if is_ours else row.theirs_replies)]
        change = row.ours_change if is_ours else row.theirs_change
        if change:
            change_path.write_bytes(change)
            command.append(str(change_path))
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 + SECONDS)
        if done.returncode != 0:
            raise SystemExit(f"bench: {server}: {done.stderr}")
        return [float(part) for part in done.stdout.split()[:3]]

    def measure(self, row: rows.Row, connections: int) -> None:
        ours, theirs = [], []
        for repeat in range(REPEATS):
            # In turns, so that what else the machine does falls on both.
            for is_ours in (True, False) if repeat % 2 == 0 else (False, True):
                (ours if is_ours else theirs).append(self.once(row, is_ours, connections))
        rate, p50, p99 = (statistics.median(column) for column in zip(*ours))
        peer_rate, peer_p50, peer_p99 = (statistics.median(column) for column in zip(*theirs))
        ratio, minimum = rate / peer_rate, row.minimums[connections]
        verdict = "" if minimum is None else f"{minimum:.2f}: {'reached' if ratio >= minimum else 'MISSED'}"
        if minimum is not None and ratio < minimum:
            self.missed.append(f"{row.name} at {connections}: {ratio:.2f} of at least {minimum:.2f}")
        self.say(
            f"| {row.name} | {connections} | {rate:,.0f} | {peer_rate:,.0f} | **{ratio:.2f}** | {verdict} "
            f"| {p50:,.0f} / {p99:,.0f} | {peer_p50:,.0f} / {peer_p99:,.0f} |"
        )

    def say(self, line: str) -> None:
        print(line, flush=True)
        self.lines.append(line)

    def compare(self) -> None:
        self.say("| job | connections | restored, calls/s | Redis, calls/s | ratio | minimum | p50 / p99 µs | Redis p50 / p99 µs |")
        self.say("| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |")
        for row in rows.ROWS:
            if ONLY in row.name:
                for connections in row.minimums:
                    self.measure(row, connections)

    def idle(self) -> None:
        """A daemon started on what the rows left behind, after one restore, left alone."""
        self.servers["restored"].stop()
        server = self.servers["restored"] = servers.restored(self.folder, self.restored_program)
        self.control("restore", "--scene", "scene-0000")
        time.sleep(1)
        before = server.wake_ups()
        time.sleep(rows.IDLE_SECONDS)
        wake_ups, memory = server.wake_ups() - before, server.rss_megabytes()
        self.say("")
        self.say(f"Idle after a start on that database and one restore: {memory:.1f} MB of memory (VmRSS), "
                 f"{wake_ups} wake-ups in {rows.IDLE_SECONDS} s.")
        if memory > rows.IDLE_MAXIMUM_RSS_MB:
            self.missed.append(f"idle memory: {memory:.1f} MB of at most {rows.IDLE_MAXIMUM_RSS_MB:.0f}")
        if wake_ups:
            self.missed.append(f"idle: {wake_ups} wake-ups in {rows.IDLE_SECONDS} s, none are allowed")


def call(path: pathlib.Path, message: bytes, expected: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(message)
        answer = client.recv(4096)
        if not answer.startswith(expected):
            raise SystemExit(f"bench: {path}: {answer!r}")


def machine() -> str:
    model = next(
        (line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown CPU"
    )
    peer = subprocess.run(["redis-server", "--version"], capture_output=True, text=True).stdout.split()
    version = next((part[2:] for part in peer if part.startswith("v=")), "?")
    return f"{model}, {os.cpu_count()} cores, Linux {platform.release()}, Redis {version}"


def main() -> int:
    restored, restorectl, generator, folder = sys.argv[1:]
    results = pathlib.Path(folder)
    results.mkdir(parents=True, exist_ok=True)
    # A path short enough for a socket's address (108 bytes), on the disk that the project lies on.
    run = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=results))
    os.chdir(run)
    bench = Bench(restored, restorectl, generator, pathlib.Path("."))
    try:
        bench.say(f"{time.strftime('%Y-%m-%d')}, {machine()}. Medians of {REPEATS} × {SECONDS:g} s.")
        load = os.getloadavg()[0]
        bench.say(f"Load of the machine before: {load:.1f}.\n")
        if load > BUSY:
            print(f"bench: the machine is busy (load {load:.1f}): the numbers say little\n", file=sys.stderr)
        bench.start()
        bench.load()
        bench.compare()
        bench.idle()
    finally:
        bench.stop()
        os.chdir(results)
        shutil.rmtree(run)
    (results / "results.md").write_text("\n".join(bench.lines) + "\n")
    for line in bench.missed:
        print(f"bench: missed: {line}")
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
