#!/usr/bin/env python3
"""Measures how long one long call holds up the others: no call is interrupted.

Usage: longest.py RESTORED FOLDER
One peer restores 1 KB again and again; beside it another one makes one long call, with nothing else going on. For each kind
of call: the longest of those restores, and the processor time of the daemon's loop for the call alone (reading it
included, which goes on in pieces); the least of LONGEST_ROUNDS (5), since what the machine does besides can only add to it.
Prints a table.
"""

import os
import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import time

import rows
import servers

ROUNDS = int(os.environ.get("LONGEST_ROUNDS", "5"))
MESSAGE = (16 << 20) - 200  # bytes; a message may have 16 MiB
STATE = (1 << 20) - 200  # bytes; a state may have 1 MiB
RESTORE = rows.varlink("Restore", b'{"app":"bench","scene":"main"}')


def ids(count: int, size: int) -> bytes:
    return b",".join(b'"%0*d"' % (size, number) for number in range(count))


def put(ids: bytes) -> bytes:
    return rows.varlink("PutEntities", b'{"app":"bench","kind":"many","ids":[' + ids + b"]}")


def check(values: bytes) -> bytes:
    return rows.varlink("Check", b'{"app":"bench","state":{"values":{"a":' + values + b"}}}")


CALLS = {
    "16 MiB of ids of 9 bytes, refused": put(ids(MESSAGE // 12, 9)),
    "16 MiB of ids of 33 bytes, refused": put(ids(MESSAGE // 36, 33)),
    "10,000 ids of 1.6 KB": put(ids(10_000, 1_600)),
    "10,000 ids of 9 bytes": put(ids(10_000, 9)),
    "a check of 1 MiB of numbers": check(b"[" + b",".join([b"1"] * (STATE // 2)) + b"]"),
    "a check of 1 MiB of members": check(b"{" + b",".join(b'"%x":1' % number for number in range(100_000)) + b"}"),
    "a check of 16 MiB, refused": check(b'"' + b"x" * MESSAGE + b'"'),
}


def connect(path: pathlib.Path) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(str(path))
    return peer


def call(peer: socket.socket, message: bytes) -> None:
    peer.sendall(message)
    while not peer.recv(1 << 20).endswith(b"\0"):
        pass


def loop_milliseconds(server: servers.Server) -> float:
    """Processor time of the daemon's main thread so far (proc_pid_schedstat, in nanoseconds)."""
    pid = server.process.pid
    return int(pathlib.Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e6


def alone(server: servers.Server, message: bytes) -> float:
    with connect(server.socket) as peer:
        before = loop_milliseconds(server)
        call(peer, message)
        return loop_milliseconds(server) - before


def beside(server: servers.Server, quick: socket.socket, message: bytes) -> float:
    """Milliseconds of the longest restore while the call is made."""
    with connect(server.socket) as peer:
        other = threading.Thread(target=call, args=(peer, message))
        other.start()
        longest = 0.0
        while other.is_alive():
            began = time.monotonic()
            call(quick, RESTORE)
            longest = max(longest, time.monotonic() - began)
        other.join()
    return 1_000 * longest


def main() -> int:
    restored, folder = sys.argv[1:]
    results = pathlib.Path(folder).resolve()
    results.mkdir(parents=True, exist_ok=True)
    run = pathlib.Path(tempfile.mkdtemp(prefix="longest-", dir=results))
    os.chdir(run)
    # What is measured is the daemon, not the interpreter's turns.
    sys.setswitchinterval(0.0001)
    server = servers.restored("restored", str(pathlib.Path(restored)))
    try:
        quick = connect(server.socket)
        call(quick, rows.varlink("Save", b'{"app":"bench","scene":"main","state":' + rows.FIXED_STATE + b"}"))
        for _ in range(1_000):
            call(quick, RESTORE)
        print("| one call | longest restore beside it, ms | loop, ms of processor time |")
        print("| --- | ---: | ---: |")
        for name, message in CALLS.items():
            waits = [beside(server, quick, message) for _ in range(ROUNDS)]
            work = [alone(server, message) for _ in range(ROUNDS)]
            print(f"| {name} | {min(waits):.1f} | {min(work):.1f} |", flush=True)
    finally:
        server.stop()
        os.chdir(results)
        shutil.rmtree(run)
    return 0


if __name__ == "__main__":
    sys.exit(main())
