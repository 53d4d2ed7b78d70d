#!/usr/bin/env python3
"""Measures how a peer that means no harm fares while others attack the daemon.

Usage: hostile.py RESTORED RESTORECTL LOAD_GENERATOR FOLDER
For each attack of `attacks.py`: the median and the 99th percentile of one peer's calls before it, while it lasts, and a
second after its end; how long someone who comes meanwhile waits for a first answer; and the daemon's largest memory.
Prints a table, and exits 1 where a bound is missed. HOSTILE_SECONDS (1) is the length of one measurement, HOSTILE_ATTACKS: only those whose name holds this text.
"""

import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import attacks
import rows
import servers

SECONDS = float(os.environ.get("HOSTILE_SECONDS", "1"))
ONLY = os.environ.get("HOSTILE_ATTACKS", "")
REPEATS = 3  # of what is measured where nothing is attacked
CONNECTED = 0.3  # seconds that the peer has been there before the attack
SETTLED = 0.7  # seconds that the attack has to unfold
PAUSE = 1.0  # seconds after its end

DURING = 2.0  # the median, as a multiple of the one before
P99_MILLISECONDS = 30.0
AFTER = 1.2
MEMORY_MB = 64.0
CONNECTION_KB = 64.0

RESTORE = (rows.varlink("Restore", b'{"app":"bench","scene":"main"}'), '"dropped":[]')
SAVE = (rows.varlink("Save", b'{"app":"bench","scene":"' + rows.SCENE + b'","state":' + rows.STATE + b"}"), '"changed":true')
LARGE_STATE = b'{"stacks":{"main":[' + b",".join(b'{"page":{"id":"%0230d"}}' % n for n in range(4_000)) + b"]}}"


class Hostile:
    def __init__(self, restored: str, restorectl: str, generator: str, folder: pathlib.Path):
        self.restored_program, self.restorectl, self.generator = restored, restorectl, generator
        self.folder = folder
        self.lines: list[str] = []
        self.missed: list[str] = []

    def say(self, line: str) -> None:
        print(line, flush=True)
        self.lines.append(line)

    def control(self, server: servers.Server, *arguments: str, text: bytes = b"") -> None:
        command = [self.restorectl, "--socket", str(server.socket), "--app", "bench", *arguments]
        subprocess.run(command, input=text, capture_output=True, timeout=120, check=True)

    def load(self, server: servers.Server) -> None:
        for kind, count in rows.KINDS.items():
            ids = "".join(f"{kind}-{number}\n" for number in range(count))
            self.control(server, "entities", "put", kind, text=ids.encode())
        self.control(server, "save", "--scene", "main", text=rows.FIXED_STATE)
        self.control(server, "save", "--scene", "large", text=LARGE_STATE)

    def start(self, server: servers.Server, call: tuple[bytes, str], warm_up: float) -> subprocess.Popen:
        """One peer that waits for each reply before its next call."""
        path = self.folder / "call"
        path.write_bytes(call[0])
        command = [self.generator, "varlink", str(server.socket), str(path), call[1], "1", str(warm_up), str(SECONDS)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def result(self, peer: subprocess.Popen) -> tuple[float, float]:
        """Median and 99th percentile in milliseconds."""
        output, errors = peer.communicate(timeout=60 + SECONDS)
        if peer.returncode != 0:
            print(f"hostile: {errors.strip()}", file=sys.stderr)
            return float("inf"), float("inf")
        _, p50, p99, _ = (float(part) for part in output.split())
        return p50 / 1_000, p99 / 1_000

    def calm(self, server: servers.Server, call: tuple[bytes, str]) -> tuple[float, float]:
        results = [self.result(self.start(server, call, 0.1)) for _ in range(REPEATS)]
        return statistics.median(p50 for p50, _ in results), statistics.median(p99 for _, p99 in results)

    def phase(self, server: servers.Server, name: str, call: tuple[bytes, str]) -> tuple:
        """What the peer saw before the attack, during it (it was there before), and a second after its end."""
        before = self.calm(server, call)
        peer = self.start(server, call, CONNECTED + SETTLED)
        time.sleep(CONNECTED)
        attacker = subprocess.Popen([sys.executable, attacks.__file__, name, str(server.socket)])
        during = self.result(peer)
        newcomer = statistics.median(first_call(server) for _ in range(REPEATS))
        if attacker.poll() is not None:
            raise SystemExit(f"hostile: the attack {name} ended by itself")
        attacker.kill()
        attacker.wait()
        time.sleep(PAUSE)
        return before, during, self.calm(server, call), newcomer

    def attack(self, name: str, peers: int) -> None:
        server = servers.restored("restored", self.restored_program)
        try:
            restores = self.phase(server, name, RESTORE)
            saves = self.phase(server, name, SAVE)
            memory = server.peak_megabytes()
        finally:
            server.stop()
        self.judge(name, peers, restores, saves, memory)

    def judge(self, name: str, peers: int, restores: tuple, saves: tuple, memory: float) -> None:
        bound = MEMORY_MB + peers * CONNECTION_KB / 1_024
        verdicts = [("memory, MB", memory, bound)]
        for what, (before, during, after, _) in {"restore": restores, "save": saves}.items():
            verdicts.append((f"{what}, median during", during[0] / before[0], DURING))
            verdicts.append((f"{what}, p99 during in ms", during[1], max(P99_MILLISECONDS, before[1])))
            verdicts.append((f"{what}, median after", after[0] / before[0], AFTER))
        missed = [f"{what} {value:.2f} of at most {most:.2f}" for what, value, most in verdicts if value > most]
        self.missed += [f"{name}: {text}" for text in missed]
        cells = [name]
        for before, during, after, _ in (restores, saves):
            cells.append(f"{1_000 * before[0]:,.0f} / {before[1]:.2f}")
            cells.append(f"{1_000 * during[0]:,.0f} / {during[1]:.2f}")
            cells.append(f"{during[0] / before[0]:.2f}, {after[0] / before[0]:.2f}")
        cells += [f"{restores[3]:.1f}", f"{memory:.0f} of {bound:.0f}", "; ".join(missed)]
        self.say("| " + " | ".join(cells) + " |")

    def run(self) -> None:
        server = servers.restored("restored", self.restored_program)
        self.load(server)
        server.stop()
        self.say(
            "| attack | restore before, p50 µs / p99 ms | during | ×, after × | save before | during | ×, after × "
            "| first call of a newcomer, ms | memory, MB | missed |"
        )
        self.say("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
        for name, (_, peers) in attacks.ATTACKS.items():
            if ONLY in name:
                self.attack(name, peers)


def first_call(server: servers.Server) -> float:
    """Milliseconds until someone who comes during the attack has its first answer."""
    began = time.monotonic()
    with socket.socket(socket.AF_UNIX) as newcomer:
        try:
            # Waits while the queue of those who are not accepted yet is full, which a time limit would not.
            newcomer.connect(str(server.socket))
            newcomer.settimeout(10)
            newcomer.sendall(RESTORE[0])
            answer = newcomer.recv(4096)
        except (TimeoutError, OSError):
            return float("inf")
    return 1_000 * (time.monotonic() - began) if answer else float("inf")


def main() -> int:
    restored, restorectl, generator, folder = sys.argv[1:]
    results = pathlib.Path(folder)
    results.mkdir(parents=True, exist_ok=True)
    run = pathlib.Path(tempfile.mkdtemp(prefix="hostile-", dir=results))
    os.chdir(run)
    hostile = Hostile(restored, restorectl, generator, pathlib.Path("."))
    try:
        hostile.run()
    finally:
        os.chdir(results)
        shutil.rmtree(run)
    (results / "hostile.md").write_text("\n".join(hostile.lines) + "\n")
    for line in hostile.missed:
        print(f"hostile: missed: {line}")
    return 1 if hostile.missed else 0


if __name__ == "__main__":
    sys.exit(main())
