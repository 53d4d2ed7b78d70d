"""Starts the two servers of a comparison in folders of one run, and stops them again."""

import os
import pathlib
import signal
import socket
import subprocess
import time


class Server:
    """A server process with a Unix socket; it is up when the socket takes a connection."""

    def __init__(self, name: str, socket_path: pathlib.Path, command: list[str], log: pathlib.Path):
        self.name, self.socket = name, socket_path
        self.log = log
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log.open("ab"), stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 10
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"bench: {name} did not start; its output:\n{log.read_text(errors='replace')}")
            time.sleep(0.01)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def rss_megabytes(self) -> float:
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise SystemExit(f"bench: {self.name} has no VmRSS")

    def wake_ups(self) -> int:
        """Context switches of all threads, voluntary ones: each is the end of a sleep."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            for line in pathlib.Path(f"/proc/{self.process.pid}/task/{task}/status").read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches:"):
                    total += int(line.split()[1])
        return total


def redis(folder: pathlib.Path, durable: bool) -> Server:
    name = "redis-durable" if durable else "redis-memory"
    home = folder / name
    home.mkdir()
    path = home / "socket"
    # Redis goes to its folder first, so the socket's path is one from there.
    command = ["redis-server", "--dir", str(home), "--port", "0", "--unixsocket", path.name, "--save", ""]
    if durable:
        # No rewrite of the log in the middle of a measurement: that would slow Redis down.
        command += ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"]
    else:
        command += ["--appendonly", "no"]
    return Server(name, path, command, folder / f"{name}.log")


def restored(folder: pathlib.Path, program: pathlib.Path) -> Server:
    home = folder / "restored"
    home.mkdir(exist_ok=True)
    path = home / "io.restored"
    command = [str(program), "--socket", str(path), "--state-dir", str(home / "state")]
    return Server("restored", path, command, folder / "restored.log")
