"""Whole processes, from their start to their end: what a shell script waits for."""

import os
import pathlib
import statistics

import rows
from harness import Harness, exchange, in_turns, run
from report import Line, Report

PART = "Whole processes"
RUNS = 20  # of each, in each turn
STATES = 10  # different ones that are saved in turn


def measure(harness: Harness, report: Report) -> None:
    ours = harness.daemon("processes")
    redis = harness.redis("redis-processes")
    harness.control(ours, "save", text=rows.FIXED_STATE)
    exchange(redis, rows.redis(b"SET", b"main", rows.FIXED_STATE), 1, b"\r\n")
    databases = {mode: _database(mode) for mode in ("wal", "delete")}
    _dconf()
    for number in range(STATES):
        pathlib.Path(f"state-{number}").write_bytes(rows.STATE.replace(rows.DIGITS, b"%012d" % number))
    _compare(harness, report, "restorectl restore", {
        "restorectl": [harness.restorectl, "restore", "--socket", str(ours.socket), "--app", "bench"],
        "redis-cli GET": ["redis-cli", "-s", str(redis.socket), "GET", "main"],
        "sqlite3 'select'": ["sqlite3", databases["wal"], "select state from scene where id = 1"],
        "dconf read": ["dconf", "read", "/bench/state"],
    }, aim=2)
    # The shell reads the state from a file as restorectl does; synchronous is FULL by itself.
    insert = "insert into scene values (1, readfile('state-{}')) on conflict do update set state = excluded.state"
    _compare(harness, report, "restorectl save", {
        "restorectl": [harness.restorectl, "save", "--socket", str(ours.socket), "--app", "bench", "state-{}"],
        "sqlite3 'insert', WAL": ["sqlite3", databases["wal"], insert],
        "sqlite3 'insert', rollback journal": ["sqlite3", databases["delete"], insert],
    }, aim=1.1)


def _compare(harness: Harness, report: Report, work: str, commands: dict[str, list[str]], aim: float) -> None:
    times = in_turns(*(lambda command=command: harness.process(*command, count=RUNS) for command in commands.values()))
    mine, *others = (statistics.median(column) for column in times)
    fastest = min(others)
    for (name, _), time in zip(list(commands.items())[1:], others):
        bounds = (1.0, aim) if time == fastest else (None, None)
        report.add(Line(PART, work, name, f"{mine:.2f} ms", f"{time:.2f} ms", time / mine, *bounds))
    report.note(PART, f"{work} is to be as fast as the fastest of the others: the figure is their time by its.")


def _database(mode: str) -> str:
    path = f"process-{mode}.db"
    run(["sqlite3", path, f"pragma journal_mode = {mode}; create table scene (id integer primary key, state)"])
    pathlib.Path("fixed-state").write_bytes(rows.FIXED_STATE)
    run(["sqlite3", path, "insert into scene values (1, readfile('fixed-state'))"])
    return path


def _dconf() -> None:
    """A dconf database that holds the state, as its own service would have written it."""
    home = pathlib.Path("config").resolve()
    (home / "dconf").mkdir(parents=True)
    keys = pathlib.Path("keys")
    keys.mkdir()
    text = rows.FIXED_STATE.decode().replace("\\", "\\\\").replace("'", "\\'")
    (keys / "bench").write_text(f"[bench]\nstate='{text}'\n")
    run(["dconf", "compile", str(home / "dconf" / "user"), str(keys)])
    os.environ["XDG_CONFIG_HOME"] = str(home)
    if "selectedTab" not in run(["dconf", "read", "/bench/state"]):
        raise SystemExit("bench: dconf does not give the state back")
