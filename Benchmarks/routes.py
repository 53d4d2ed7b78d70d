#!/usr/bin/env python3
"""Measures what a route table costs a restore: one app with a table of 200 routes, one without, in turns.

Usage: routes.py RESTORED RESTORECTL LOAD_GENERATOR FOLDER
Writes FOLDER/routes.md, prints it, and exits 1 where a restore with the table takes more than MAXIMUM times as long.
BENCH_SECONDS (1) is the length of one measurement, BENCH_REPEATS (9) how many of each are taken.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import rows
import servers

SECONDS = float(os.environ.get("BENCH_SECONDS", "1"))
REPEATS = int(os.environ.get("BENCH_REPEATS", "9"))
CONNECTIONS = 16  # enough that the daemon, and not its client, is what is waited for
MAXIMUM = 1.2
ROUTES = 200

# Six routes on one stack, seven references, all of which resolve.
STATE = json.dumps(
    {
        "selectedTab": "boards",
        "stacks": {
            "boards": [
                {"board": {"id": "board-17"}},
                {"card": {"boardID": "board-17", "cardID": "card-4242"}},
                {"card": {"boardID": "board-18", "cardID": "card-79999"}},
                {"search": {"_0": "overdue and mine"}},
                {"card": {"boardID": "board-19999", "cardID": "card-31337"}},
                "archive",
            ]
        },
        "values": {"draft": "An unfinished reply that the app keeps so that nothing typed is lost. " * 6},
    },
    separators=(",", ":"),
).encode()


def table() -> bytes:
    """All that a restore can be asked to look at: listed cases and tabs, entities, renames, a policy."""
    routes = {
        "board": {"entities": {"id": "board"}},
        "card": {"entities": {"boardID": "board", "cardID": "card"}},
        "search": {"entities": {}},
        "archive": {},
    }
    for number in range(ROUTES - len(routes)):
        routes[f"screen{number}"] = {"entities": {"boardID": "board", "ref.cardID": "card"}}
    renamed = {f"old{number}": f"screen{number}" for number in range(50)}
    tabs = ["boards", "inbox", "search"]
    return json.dumps({"tabs": tabs, "routes": routes, "renamed": renamed, "unknownRoutes": "drop"}).encode()


class Comparison:
    def __init__(self, restored: str, restorectl: str, generator: str):
        self.restorectl, self.generator = restorectl, generator
        self.server = servers.restored("restored", restored)

    def control(self, app: str, *arguments: str, text: bytes = b"") -> None:
        command = [self.restorectl, "--socket", str(self.server.socket), "--app", app, *arguments]
        done = subprocess.run(command, input=text, capture_output=True, timeout=120)
        if done.returncode != 0:
            raise SystemExit(f"routes: {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")

    def load(self, app: str) -> None:
        for kind, count in rows.KINDS.items():
            self.control(app, "entities", "put", kind, text="".join(f"{kind}-{n}\n" for n in range(count)).encode())
        self.control(app, "save", text=STATE)

    def processor_seconds(self) -> float:
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def once(self, app: str) -> tuple[float, float]:
        """Microseconds of the daemon's processor time for each call, and calls per second."""
        call = pathlib.Path("call")
        # An option goes round the cache of finished replies: the state is read, walked and looked up each time.
        call.write_bytes(rows.varlink("Restore", b'{"app":"%s","scene":"main","stale":"drop"}' % app.encode()))
        # No warm-up: what it calls would be counted without its calls.
        command = [self.generator, "varlink", str(self.server.socket), str(call), '"dropped":[]']
        before = self.processor_seconds()
        done = subprocess.run(
            [*command, str(CONNECTIONS), "0", str(SECONDS)], capture_output=True, text=True, timeout=60 + SECONDS
        )
        if done.returncode != 0:
            raise SystemExit(f"routes: {done.stderr}")
        rate, _, _, calls = (float(part) for part in done.stdout.split()[:4])
        return (self.processor_seconds() - before) / calls * 1e6, rate


def main() -> int:
    restored, restorectl, generator, folder = (str(pathlib.Path(part).resolve()) for part in sys.argv[1:])
    results = pathlib.Path(folder)
    results.mkdir(parents=True, exist_ok=True)
    run = pathlib.Path(tempfile.mkdtemp(prefix="routes-", dir=results))
    os.chdir(run)
    comparison = Comparison(restored, restorectl, generator)
    try:
        for app in ["plain", "tabled"]:
            comparison.load(app)
        pathlib.Path("table").write_bytes(table())
        comparison.control("tabled", "routes", "set", "table")
        measured: dict[str, list[tuple[float, float]]] = {"plain": [], "tabled": []}
        for repeat in range(REPEATS):
            # In turns, so that what else the machine does falls on both.
            for app in measured if repeat % 2 == 0 else reversed(measured):
                measured[app].append(comparison.once(app))
    finally:
        comparison.server.stop()
        os.chdir(results)
        shutil.rmtree(run)
    plain, tabled = ([statistics.median(column) for column in zip(*measured[app])] for app in ["plain", "tabled"])
    ratio = statistics.median(b[0] / a[0] for a, b in zip(measured["plain"], measured["tabled"]))
    lines = [
        f"{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"medians of {REPEATS} × {SECONDS:g} s at {CONNECTIONS} connections.",
        "",
        "| restore of 6 routes, nothing cached | µs of processor time | calls/s |",
        "| --- | ---: | ---: |",
        f"| without a table | {plain[0]:.1f} | {plain[1]:,.0f} |",
        f"| with a table of {ROUTES} routes | {tabled[0]:.1f} | {tabled[1]:,.0f} |",
        "",
        f"Ratio, each turn by itself: **{ratio:.2f}**, at most {MAXIMUM}: {'reached' if ratio <= MAXIMUM else 'MISSED'}.",
    ]
    print("\n".join(lines))
    (results / "routes.md").write_text("\n".join(lines) + "\n")
    return 0 if ratio <= MAXIMUM else 1


if __name__ == "__main__":
    sys.exit(main())
