"""Bytes that go to the disk for each save."""

import rows
from harness import SECONDS, Harness, in_turns, medians, written
from report import Line, Report

PART = "Bytes written"


def measure(harness: Harness, report: Report) -> None:
    server = harness.daemon("writes")
    harness.control(server, "save", "--scene", "scene-0000", text=rows.FIXED_STATE)

    def ours(call: bytes, expected: str):
        before = written(server)
        load = harness.load(server, call, expected, seconds=2 * SECONDS, warm_up=0)
        return load._replace(bytes=(written(server) - before) / load.calls)

    def theirs():
        load = harness.floor_load("upsert", "writes.db", str(len(rows.STATE)), str(2 * SECONDS))
        return load._replace(bytes=load.bytes / load.calls)

    mine, other = (medians(loads).bytes for loads in in_turns(lambda: ours(rows.SAVE, '"changed":true'), theirs))
    against = "C loop in process, SQLite WAL FULL"
    report.add(Line(PART, "a save of 1 KB", against, f"{mine:,.0f}", f"{other:,.0f}", mine / other, 1.2, 0.6, False))
    harness.control(server, "save", "--scene", "scene-0000", text=rows.FIXED_STATE)
    equal = ours(rows.EQUAL_SAVE, '"changed":false')
    report.add(Line(PART, "a save of the state that is there", "", f"{equal.bytes:,.0f}", "", equal.bytes, 0, 0, False))
    report.note(PART, "write_bytes of /proc/PID/io by the number of saves, checkpoints included.")
