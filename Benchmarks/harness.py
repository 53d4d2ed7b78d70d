"""What every part of the benchmark needs: the programs, one measurement, and several in turns."""

import os
import pathlib
import re
import socket
import statistics
import subprocess
import threading
import typing

import servers

SECONDS = float(os.environ.get("BENCH_SECONDS", "1.5"))
REPEATS = int(os.environ.get("BENCH_REPEATS", "5"))
WARM_UP = 0.3


class Load(typing.NamedTuple):
    """What a load came to."""

    rate: float  # calls per second
    p50: float  # microseconds
    p99: float
    calls: float
    bytes: float = 0  # that went to the disk, where they are known


def medians(loads: list[Load]) -> Load:
    return Load(*(statistics.median(column) for column in zip(*loads)))


def in_turns(*jobs: typing.Callable[[], typing.Any], repeats: int = REPEATS) -> list[list[typing.Any]]:
    """Runs each job several times, in turns, so that what else the machine does falls on all; gives what each gave."""
    given: list[list[typing.Any]] = [[] for _ in jobs]
    for repeat in range(repeats):
        order = list(zip(given, jobs))
        for results, job in order if repeat % 2 == 0 else reversed(order):
            results.append(job())
    return given


class Harness:
    """The programs that are measured, and those that measure. The working directory is the folder of the run."""

    def __init__(self, restored: str, restorectl: str, generator: str, floor: str):
        self.restored, self.restorectl, self.generator, self.floor = restored, restorectl, generator, floor
        self.started: list[servers.Server] = []
        self.files = 0

    def daemon(self, name: str, *options: str) -> servers.Server:
        return self._started(servers.restored(name, self.restored, *options))

    def redis(self, name: str, durable: bool = False) -> servers.Server:
        return self._started(servers.redis(name, durable))

    def _started(self, server: servers.Server) -> servers.Server:
        self.started.append(server)
        return server

    def stop(self, server: servers.Server) -> None:
        self.started.remove(server)
        server.stop()

    def stop_all(self) -> None:
        while self.started:
            self.started.pop().stop()

    def control(self, server: servers.Server, *arguments: str, text: bytes = b"", app: str = "bench") -> str:
        """Runs restorectl to its end."""
        command = [self.restorectl, *arguments, "--socket", str(server.socket), "--app", app, "--timeout", "120"]
        return run(command, text=text)

    def load(self, server: servers.Server, call: bytes, expected: str, connections: int = 1, **options) -> Load:
        """Calls a server over and over, and waits for the end; the options are those of `begin_load`."""
        return self.end_load(self.begin_load(server, call, expected, connections, **options))

    def begin_load(
        self,
        server: servers.Server,
        call: bytes,
        expected: str,
        connections: int = 1,
        *,
        protocol: str = "varlink",
        idle: int = 0,
        population: int = 1,
        replies: int = 1,
        change: bytes = b"",
        seconds: float = SECONDS,
        warm_up: float = WARM_UP,
    ) -> subprocess.Popen:
        """Begins to call a server over and over; see LoadGenerator/include/load.h."""
        command = [self.generator, "--idle", str(idle), "--population", str(population), protocol, str(server.socket)]
        command += [self._file(call), expected, str(connections), str(warm_up), str(seconds), str(replies)]
        if change:
            command.append(self._file(change))
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def _file(self, call: bytes) -> str:
        self.files += 1
        path = pathlib.Path(f"call-{self.files}")
        path.write_bytes(call)
        return str(path)

    @staticmethod
    def end_load(load: subprocess.Popen) -> Load:
        out, err = load.communicate(timeout=120)
        if load.returncode != 0:
            raise SystemExit(f"bench: {err}")
        return Load(*(float(part) for part in out.split()[:4]))

    def floor_load(self, *arguments: str) -> Load:
        """What a program does by itself; see Floor/floor.c."""
        return Load(*(float(part) for part in run([self.floor, *arguments]).split()))

    def process(self, *command: str, count: int = 20) -> float:
        """The median time, in milliseconds, from starting a program to its end; `{}` in it is a digit that changes."""
        return float(run([self.floor, "run", str(count), *command])) / 1000


def exchange(server: servers.Server, message: bytes, replies: int, end: bytes) -> bytes:
    """Sends bytes on a connection of their own, and reads until so many replies have ended."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(server.socket))
        # Both ways at once: a server that waits for its replies to be read reads no more.
        sender = threading.Thread(target=peer.sendall, args=(message,))
        sender.start()
        parts, missing = [], replies
        while missing > 0:
            part = peer.recv(1 << 20)
            if not part or b'"error"' in part or part.startswith(b"-ERR"):
                place = max(0, part.find(b'"error"'))
                raise SystemExit(f"bench: {server.name}: {part[place : place + 300]!r}")
            missing -= part.count(end)
            parts.append(part)
        sender.join()
    return b"".join(parts)


def run(command: list[str], text: bytes = b"") -> str:
    done = subprocess.run(command, input=text, capture_output=True, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(command[:4])}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def written(server: servers.Server) -> int:
    """Bytes that the server had written to the disk so far (write_bytes of proc_pid_io(5))."""
    text = pathlib.Path(f"/proc/{server.process.pid}/io").read_text()
    return int(re.search(r"^write_bytes: (\d+)", text, re.MULTILINE)[1])
