"""How restoring grows with what there is, and with what else goes on: each beside the same at rest, or small.

Nothing is answered from a kept reply: an option goes round them.
"""

import concurrent.futures
import json
import os
import random
import resource
import statistics
import subprocess

import rows
import sync
from harness import SECONDS, Harness, exchange, in_turns, medians
from report import Line, Report

PART = "Growth"
SCENES = int(os.environ.get("BENCH_SCENES", "100000"))
FEW_SCENES, FEW_ENTITIES, CONNECTIONS = 10, 1_000, 4_000
SCENES_OF_ENTITIES = 1_000  # in the stores that differ in entities
APPS = 10  # an app holds at most 10,000 scenes
DEPTHS = (6, 60, 600)
WRITERS = 16
JUMP = b"\x03" * 5  # the load generator writes a number below the population here


def measure(harness: Harness, report: Report) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    small = _store(harness, "few-entities", 1, SCENES_OF_ENTITIES, FEW_ENTITIES)
    large = _store(harness, "many-entities", 1, SCENES_OF_ENTITIES, sync.COUNT)
    one_app = _restore(b"app0", b"scene-" + JUMP)
    _pair(harness, report, f"{sync.COUNT:,} entities", f"{FEW_ENTITIES:,}", 1.3,
          lambda: harness.load(large, one_app, REPLY, population=SCENES_OF_ENTITIES),
          lambda: harness.load(small, one_app, REPLY, population=SCENES_OF_ENTITIES))
    _pair(harness, report, f"{CONNECTIONS:,} connections, one of them in use", "one", 1.5,
          lambda: harness.load(small, one_app, REPLY, population=SCENES_OF_ENTITIES, idle=CONNECTIONS - 1),
          lambda: harness.load(small, one_app, REPLY, population=SCENES_OF_ENTITIES))
    _depth(harness, report, small)
    _during_sync(harness, report, large, one_app)
    harness.stop(large)
    harness.stop(small)
    _scenes(harness, report)
    _storm(harness, report)
    report.note(PART, "Restores at one connection, made anew each time; the figure is the larger median by the smaller, "
                      "or what is said. Scenes jump about, and each refers to other ids.")


REPLY = '"dropped":[]'


def _restore(app: bytes, scene: bytes) -> bytes:
    return rows.varlink("Restore", b'{"app":"' + app + b'","scene":"' + scene + b'","stale":"drop"}')


def _pair(harness, report, work, base, must, grown_job, base_job) -> None:
    grown, small = (medians(loads) for loads in in_turns(grown_job, base_job))
    _add(report, f"restore with {work}", f"with {base}", grown.p50, small.p50, must)


def _add(report, work, base, grown, small, must, unit="µs") -> None:
    report.add(Line(PART, work, base, f"{grown:,.1f} {unit}", f"{small:,.1f} {unit}", grown / small, must, None, False))


# Stores


def _state(routes: int, entities: int, generator: random.Random) -> dict:
    """A state of so many routes, each of which refers to an entity of `card` that is there."""
    stack = [{"card": {"id": str(generator.randint(1, entities))}} for _ in range(routes)]
    return {"selectedTab": "boards", "stacks": {"boards": stack}, "values": {"draft": "kept as it was typed " * 20}}


def _store(harness: Harness, name: str, apps: int, scenes: int, entities: int):
    """A daemon with scenes of six routes, spread over apps, each of which has the entities; of one app also deep ones."""
    # What is filled in need not survive a loss of power, so that it does not take minutes.
    server = harness.daemon(name, "--durability", "normal")
    path = sync.ids_file()
    if entities < sync.COUNT:
        path = f"{name}-ids"
        with open(path, "w") as file:
            file.writelines(f"{number}\n" for number in range(1, entities + 1))
    for app in range(apps):
        harness.control(server, "entities", "sync", "card", path, app=f"app{app}")
    generator = random.Random(scenes)
    calls = [
        rows.varlink("Save", json.dumps({
            "app": f"app{number % apps}", "scene": f"scene-{number:05}", "state": _state(6, entities, generator),
        }).encode())
        for number in range(scenes)
    ]
    for routes in DEPTHS if apps == 1 else ():
        scene = {"app": "app0", "scene": f"depth-{routes}", "state": _state(routes, entities, generator)}
        calls.append(rows.varlink("Save", json.dumps(scene).encode()))
    with concurrent.futures.ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(lambda n: _send(server, calls[n::WRITERS]), range(WRITERS)))
    harness.stop(server)
    return harness.daemon(name)


def _send(server, calls: list[bytes]) -> None:
    if calls:
        exchange(server, b"".join(calls), len(calls), b"\0")


def _scenes(harness: Harness, report: Report) -> None:
    few = _store(harness, "few-scenes", APPS, FEW_SCENES, FEW_ENTITIES)
    many = _store(harness, "many-scenes", APPS, SCENES, FEW_ENTITIES)
    # The number's last digit says which app has the scene.
    call = _restore(b"app\x03", b"scene-" + JUMP)
    _pair(harness, report, f"{SCENES:,} scenes", f"{FEW_SCENES}", 1.3,
          lambda: harness.load(many, call, REPLY, population=SCENES),
          lambda: harness.load(few, call, REPLY, population=FEW_SCENES))
    harness.stop(few)
    harness.stop(many)


# What else goes on


def _depth(harness: Harness, report: Report, server) -> None:
    calls = [_restore(b"app0", b"depth-%d" % routes) for routes in DEPTHS]
    times = [medians(loads).p50 for loads in in_turns(
        *(lambda call=call: harness.load(server, call, REPLY) for call in calls))]
    _add(report, f"restore of {DEPTHS[2]} routes", f"of {DEPTHS[0]}", times[2], times[0], DEPTHS[2] / DEPTHS[0])
    later, sooner = ((times[n + 1] - times[n]) / (DEPTHS[n + 1] - DEPTHS[n]) for n in (1, 0))
    work = f"each further route, from {DEPTHS[1]} to {DEPTHS[2]}"
    _add(report, work, f"from {DEPTHS[0]} to {DEPTHS[1]}", later, sooner, None)


def _during_sync(harness: Harness, report: Report, server, call: bytes) -> None:
    def syncing():
        command = [harness.restorectl, "entities", "sync", "tag", sync.ids_file(), "--socket", str(server.socket)]
        running = subprocess.Popen([*command, "--app", "app0", "--timeout", "120"], stdout=subprocess.DEVNULL)
        # Measured while it runs: it takes longer than this.
        load = harness.load(server, call, REPLY, population=SCENES_OF_ENTITIES, seconds=min(SECONDS, 1.5))
        if running.poll() is not None and sync.COUNT >= 1_000_000:
            report.note(PART, "A sync was over before what was measured beside it.")
        if running.wait() != 0:
            raise SystemExit("bench: the sync beside the restores failed")
        harness.control(server, "entities", "forget", "tag", app="app0")
        return load

    def at_rest():
        return harness.load(server, call, REPLY, population=SCENES_OF_ENTITIES)

    during, rest = (medians(loads) for loads in in_turns(syncing, at_rest, repeats=3))
    _add(report, f"restore during a sync of {sync.COUNT:,} ids", "at rest", during.p50, rest.p50, 2)


def _storm(harness: Harness, report: Report) -> None:
    """Restores at one connection while 16 others save, beside Redis' GET while 16 others SET."""
    ours, redis = harness.daemon("storm"), harness.redis("redis-storm", durable=True)
    for kind, count in rows.KINDS.items():
        ids = b"".join(b"%s-%d\n" % (kind.encode(), number) for number in range(count))
        harness.control(ours, "entities", "put", kind, text=ids)
    harness.control(ours, "save", text=rows.FIXED_STATE)
    exchange(redis, rows.redis(b"SET", b"main", rows.FIXED_STATE), 1, b"\r\n")
    restore, get = _restore(b"bench", b"main"), rows.redis(b"GET", b"main")
    sets = rows.redis(b"SET", rows.SCENE, rows.STATE)

    def at_rest():
        return harness.load(ours, restore, REPLY)

    def in_storm(server, protocol, storm, stored, call, expected):
        saving = harness.begin_load(server, storm, stored, WRITERS, protocol=protocol, seconds=SECONDS + 1)
        load = harness.load(server, call, expected, protocol=protocol)
        harness.end_load(saving)
        return load

    rest, storm, theirs = (statistics.median(load.p99 for load in loads) for loads in in_turns(
        at_rest,
        lambda: in_storm(ours, "varlink", rows.SAVE, '"changed":true', restore, REPLY),
        lambda: in_storm(redis, "redis", sets, "+OK", get, "selectedTab"),
    ))
    _add(report, f"p99 of restore while {WRITERS} connections save", "at rest", storm, rest, 5)
    _add(report, f"p99 of restore while {WRITERS} connections save", "Redis GET while 16 SET, appendfsync always", storm,
         theirs, 1)
