"""Fills a store with SCENES scenes and ENTITIES entities: fill.py SOCKET SCENES ENTITIES."""

import json
import socket
import sys
import threading

SCENES_PER_APP = 10_000
IDS_PER_CALL = 10_000
CONNECTIONS = 32
CALLS_IN_FLIGHT = 100


def exchange(path, calls):
    """Sends calls in groups, and reads each group's replies before the next."""
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(path)
        for start in range(0, len(calls), CALLS_IN_FLIGHT):
            group = calls[start : start + CALLS_IN_FLIGHT]
            frames = (json.dumps({"method": "io.restored." + name, "parameters": parameters}) for name, parameters in group)
            peer.sendall(b"".join(frame.encode() + b"\0" for frame in frames))
            missing = len(group)
            while missing:
                part = peer.recv(1 << 20)
                if not part or b'"error"' in part:
                    sys.exit(f"fill: {part[:300]!r}")
                missing -= part.count(b"\0")


def main(path, scenes, entities):
    calls = [
        ("PutEntities", {"app": f"app{start // 100_000}", "kind": "card",
                         "ids": [f"card-{number}" for number in range(start, min(start + IDS_PER_CALL, entities))]})
        for start in range(0, entities, IDS_PER_CALL)
    ]
    for call in calls:
        exchange(path, [call])
    saves = [
        ("Save", {"app": f"app{number // SCENES_PER_APP}", "scene": f"scene{number % SCENES_PER_APP}",
                  "state": {"selectedTab": "boards", "stacks": {"boards": [
                      {"board": {"id": f"card-{number}"}}, {"card": {"cardID": f"card-{number % 1000}"}}]}}})
        for number in range(scenes)
    ]
    threads = [threading.Thread(target=exchange, args=(path, saves[n::CONNECTIONS])) for n in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
