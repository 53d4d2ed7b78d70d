"""Starts the servers of a comparison in folders of one run, and stops them again."""

import os
import pathlib
import re
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
        deadline = time.monotonic() + 20
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"bench: {name} did not start; its output:\n{log.read_text(errors='replace')}")
            time.sleep(0.01)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.socket)) == 0

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def _status(self, name: str, of: str) -> int:
        return int(re.search(rf"^{name}:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/{of}").read_text(), re.M)[1])

    def resident_megabytes(self) -> float:
        """Memory that it has now, with all of what it shares (Rss of proc_pid_smaps(5))."""
        return self._status("Rss", "smaps_rollup") / 1024

    def own_megabytes(self) -> float:
        """The part that it wrote to: what nobody shares and no file gives back (Private_Dirty)."""
        return self._status("Private_Dirty", "smaps_rollup") / 1024

    def peak_megabytes(self) -> float:
        """The most memory that it ever had (VmHWM of proc_pid_status(5))."""
        return self._status("VmHWM", "status") / 1024

    def wake_ups(self) -> int:
        """Context switches of all threads, voluntary ones: each is the end of a sleep."""
        tasks = os.listdir(f"/proc/{self.process.pid}/task")
        return sum(self._status("voluntary_ctxt_switches", f"task/{task}/status") for task in tasks)


def redis(name: str, durable: bool) -> Server:
    home = pathlib.Path(name)
    home.mkdir()
    path = home / "socket"
    # Redis goes to its folder first, so the socket's path is one from there.
    command = ["redis-server", "--dir", str(home), "--port", "0", "--unixsocket", path.name, "--save", ""]
    if durable:
        # No rewrite of the log in the middle of a measurement: that would slow Redis down.
        command += ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"]
    else:
        command += ["--appendonly", "no"]
    return Server(name, path, command, pathlib.Path(f"{name}.log"))


def restored(name: str, program: str, *options: str) -> Server:
    home = pathlib.Path(name)
    home.mkdir(exist_ok=True)
    path = home / "io.restored"
    command = [program, "--socket", str(path), "--state-dir", str(home / "state"), *options]
    return Server(name, path, command, pathlib.Path(f"{name}.log"))
