#!/usr/bin/env python3
"""One hostile peer, or many: what `hostile.py` sets on a daemon while it measures how others fare.

Usage: attacks.py NAME SOCKET
Runs until it is killed. A connection that the daemon closes is made anew: a peer that means harm comes back.
"""

import itertools
import os
import resource
import selectors
import socket
import sys
import time

import rows

LARGE = rows.varlink("Restore", b'{"app":"bench","scene":"large"}')
SMALL = rows.varlink("Restore", b'{"app":"bench","scene":"main"}')
SINK = bytearray(1 << 18)


def connect(path: str) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.setblocking(False)
    while True:
        try:
            peer.connect(path)
            return peer
        except BlockingIOError:  # the daemon has not accepted those before it yet
            time.sleep(0.001)


class Crowd:
    """Connections that send the same bytes over and over; each reads its replies."""

    def __init__(self, path: str, count: int, message, replies: int):
        self.path, self.message, self.replies = path, message, replies
        self.selector = selectors.EpollSelector()
        for number in range(count):
            self.begin(number)

    def begin(self, number: int) -> None:
        peer = connect(self.path)
        self.selector.register(peer, selectors.EVENT_READ | selectors.EVENT_WRITE, [number, self.next(number), 0])

    def next(self, number: int) -> memoryview:
        return memoryview(self.message(number) if callable(self.message) else self.message)

    def run(self) -> None:
        while True:
            for key, events in self.selector.select():
                try:
                    self.serve(key.fileobj, key.data, events)
                except (BrokenPipeError, ConnectionResetError):
                    self.selector.unregister(key.fileobj)
                    key.fileobj.close()
                    self.begin(key.data[0])

    def serve(self, peer: socket.socket, data: list, events: int) -> None:
        if events & selectors.EVENT_READ:
            count = peer.recv_into(SINK)
            if count == 0:
                raise ConnectionResetError
            data[2] += SINK.count(0, 0, count)
            if data[2] >= self.replies:
                data[1], data[2] = self.next(data[0]), 0
                self.selector.modify(peer, selectors.EVENT_READ | selectors.EVENT_WRITE, data)
        if events & selectors.EVENT_WRITE and data[1]:
            try:
                data[1] = data[1][peer.send(data[1]) :]
            except BlockingIOError:
                return
            if not data[1]:
                self.selector.modify(peer, selectors.EVENT_READ, data)


def half_frames(path: str) -> None:
    peers = [connect(path) for _ in range(1_000)]
    for peer in peers:
        peer.send(SMALL[: len(SMALL) // 2])
    time.sleep(1e6)


def slow_senders(path: str) -> None:
    peers = [connect(path) for _ in range(500)]
    for byte in itertools.cycle(SMALL[:-1] + b" "):
        for peer in peers:
            try:
                peer.send(bytes([byte]))
            except (BlockingIOError, BrokenPipeError):
                pass


def deaf(path: str) -> None:
    """Asks for the large state again and again, and never reads."""
    peers: list[socket.socket] = []
    while True:
        while len(peers) < 256:
            peer = connect(path)
            try:
                peer.send(LARGE * 32)
            except BlockingIOError:
                pass
            peers.append(peer)
        time.sleep(0.01)
        for peer in list(peers):
            try:
                peer.send(LARGE)
            except BlockingIOError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                peers.remove(peer)
                peer.close()


def large_states(path: str) -> None:
    Crowd(path, 256, LARGE, 1).run()


def pipelined(path: str) -> None:
    Crowd(path, 8, SMALL * 10_000, 10_000).run()


def idle(path: str) -> None:
    peers = [connect(path) for _ in range(4_080)]
    for peer in peers:
        peer.send(SMALL)
    time.sleep(1e6)


def connection_flood(path: str) -> None:
    while True:
        peers = [connect(path) for _ in range(100)]
        for peer in peers:
            peer.close()


def watch_flood(path: str) -> None:
    """A thousand watches that nobody reads, each ended and begun anew, from the first change on."""
    message = b'{"method":"io.restored.Watch","more":true,"parameters":{"after":0}}\0'
    peers = [connect(path) for _ in range(1_000)]
    for number in itertools.count():
        index = number % len(peers)
        try:
            peers[index].send(message)
        except (BlockingIOError, BrokenPipeError):
            pass
        peers[(index + 500) % 1_000].close()
        peers[(index + 500) % 1_000] = connect(path)


def large_frames(path: str) -> None:
    """Saves of a state far beyond what is taken, in messages as long as they may be."""
    head = b'{"method":"io.restored.Save","parameters":{"app":"bench","scene":"huge","state":{"values":{"a":"'
    message = head + b"x" * ((16 << 20) - len(head) - 5) + b'"}}}}\0'
    Crowd(path, 8, message, 1).run()


def deep_nesting(path: str) -> None:
    depth = 500_000
    state = b'{"values":{"a":' + b"[" * depth + b"]" * depth + b"}}"
    Crowd(path, 16, rows.varlink("Check", b'{"app":"bench","state":' + state + b"}"), 1).run()


def many_routes(path: str) -> None:
    """Checks of a state with as many routes as there may be, each of which has to be looked up."""
    route = b'{"card":{"boardID":"board-%d","cardID":"card-%d"}}'
    state = b'{"stacks":{"main":[' + b",".join(route % (n, n) for n in range(4_096)) + b"]}}"
    Crowd(path, 64, rows.varlink("Check", b'{"app":"bench","state":' + state + b"}"), 1).run()


def large_saves(path: str) -> None:
    numbers = itertools.count()
    pad = b"x" * ((1 << 20) - 200)

    def message(connection: int) -> bytes:
        state = b'{"values":{"n":%d,"a":"%s"}}' % (next(numbers), pad)
        return rows.varlink("Save", b'{"app":"bench","scene":"big-%d","state":%s}' % (connection, state))

    Crowd(path, 32, message, 1).run()


ATTACKS = {
    "half frames": (half_frames, 1_000),
    "slow senders": (slow_senders, 500),
    "peers that never read": (deaf, 256),
    "256 peers that read 1 MiB states": (large_states, 256),
    "10,000 pipelined calls": (pipelined, 8),
    "4,096 connections": (idle, 4_080),
    "flood of connections": (connection_flood, 100),
    "flood of Watch": (watch_flood, 1_000),
    "16 MiB frames": (large_frames, 8),
    "deep nesting": (deep_nesting, 16),
    "checks of 4,096 routes": (many_routes, 64),
    "saves of 1 MiB": (large_saves, 32),
}


if __name__ == "__main__":
    # Not above anyone, whatever `hostile.py` runs at: what is measured is the daemon's order of service, and not which of
    # three busy processes the kernel gives two cores to.
    if hasattr(os, "sched_setscheduler"):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, 0, 5)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ATTACKS[sys.argv[1]][0](sys.argv[2])
