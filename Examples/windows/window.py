#!/usr/bin/env python3
"""A window that shares its scene with others, and loses nothing of what they write.

usage: window.py NAME COUNT     pushes COUNT routes named after the window on the one stack of scene "shared"

Run two of them at once: each route of both is there at the end. The loop is in `change`. Needs nothing but Python and
a running restored, at $RESTORED_SOCKET or the user's own socket.
"""
import json
import os
import socket
import sys


class Refused(Exception):
    """An error reply."""

    def __init__(self, error, parameters):
        super().__init__(f"{error} {parameters}")
        self.error = error


class Service:
    """A connection: one call, one reply."""

    def __init__(self):
        runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")
        path = os.environ.get("RESTORED_SOCKET", f"{runtime}/restored/io.restored")
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError as error:
            sys.exit(f"no restored at {path}: {error.strerror}; start it, or name its socket in RESTORED_SOCKET")
        self.received = b""

    def call(self, method, **parameters):
        message = {"method": f"io.restored.{method}", "parameters": parameters}
        self.socket.sendall(json.dumps(message).encode() + b"\0")
        while b"\0" not in self.received:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise ConnectionError("restored has gone")
            self.received += chunk
        reply, self.received = self.received.split(b"\0", 1)
        reply = json.loads(reply)
        if "error" in reply:
            raise Refused(reply["error"], reply.get("parameters"))
        return reply["parameters"]


def change(service, scene, edit):
    """Changes a scene that others change too: look, edit, save if nobody was faster, else look again.

    stale="keep" gives the state as it was saved: what is only missing for the moment must not be lost by saving.
    """
    while True:
        try:
            seen = service.call("Restore", app="windows", scene=scene, stale="keep")
            state, newest = seen["state"], seen["newest"]
        except Refused as refusal:
            if refusal.error != "io.restored.SceneNotFound":
                raise
            state, newest = {"stacks": {"main": []}}, 0
        edit(state)
        try:
            return service.call("Save", app="windows", scene=scene, state=state, ifRevision=newest)
        except Refused as refusal:
            if refusal.error != "io.restored.RevisionConflict":
                raise


def main():
    if len(sys.argv) != 3 or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    service = Service()
    for number in range(int(sys.argv[2])):
        route = {"page": {"window": sys.argv[1], "number": number}}
        change(service, "shared", lambda state: state["stacks"]["main"].append(route))


main()
