"""What `make bench` measures: each row is data, so that another one is a few lines here."""

from dataclasses import dataclass, field

KINDS = {"board": 20_000, "card": 80_000}
DIGITS = b"\x01" * 12  # the load generator writes the call's number here
CONNECTION = b"\x02" * 4  # and the connection's here


def state(size: int = 1024) -> bytes:
    """A state of `size` bytes with six routes on three tabs, every reference of which resolves."""
    head = (
        b'{"selectedTab":"boards","stacks":{"boards":[{"board":{"id":"board-17"}},'
        b'{"card":{"boardID":"board-17","cardID":"card-4242"}},{"card":{"boardID":"board-18","cardID":"card-79999"}}],'
        b'"inbox":[{"card":{"boardID":"board-19999","cardID":"card-31337"}},"archive"],'
        b'"search":[{"search":{"_0":"overdue and mine"}}]},'
        b'"values":{"scroll":{"boards":1520.5,"inbox":0},"filter":{"labels":["bug","docs"],"done":false},"serial":"'
    )
    middle = b'","draft":"'
    tail = b'"}}'
    pad = size - len(head) - len(DIGITS) - len(middle) - len(tail)
    text = (b"An unfinished reply that the app keeps so that nothing typed is lost. " * 16)[:pad]
    return head + DIGITS + middle + text + tail


STATE = state()
FIXED_STATE = STATE.replace(DIGITS, b"0" * len(DIGITS))


def varlink(method: str, parameters: bytes) -> bytes:
    return b'{"method":"io.restored.%s","parameters":%s}\0' % (method.encode(), parameters)


def redis(*parts: bytes) -> bytes:
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


@dataclass(frozen=True)
class Row:
    """One comparison: the same job done by both, at several numbers of connections."""

    name: str
    # Which of the two Redis servers: "memory", or "durable" (appendfsync always).
    peer: str
    ours: bytes
    ours_expects: str
    theirs: bytes
    theirs_expects: str
    # Connections -> least ratio of our rate to Redis's; None: only shown.
    minimums: dict[int, float | None]
    # Replies that end one call of Redis': several where it is a pipeline.
    theirs_replies: int = 1
    # Calls made before each round of one call on each connection, whose time does not count.
    ours_change: bytes = b""
    theirs_change: bytes = b""
    # As the minimums: what is aimed at.
    aims: dict[int, float] = field(default_factory=dict)


SCENE = b"scene-" + CONNECTION

SAVE = varlink("Save", b'{"app":"bench","scene":"' + SCENE + b'","state":' + STATE + b"}")
EQUAL_SAVE = varlink("Save", b'{"app":"bench","scene":"' + SCENE + b'","state":' + FIXED_STATE + b"}")
RESTORE = varlink("Restore", b'{"app":"bench","scene":"' + SCENE + b'"}')
# Who checks references against Redis asks for each whether it is a member.
CHECKED_GET = redis(b"GET", SCENE) + b"".join(
    redis(b"SISMEMBER", kind, member)
    for kind, member in [
        (b"board", b"board-17"),
        (b"board", b"board-18"),
        (b"board", b"board-19999"),
        (b"card", b"card-4242"),
        (b"card", b"card-79999"),
        (b"card", b"card-31337"),
    ]
)

ROWS = [
    Row(
        name="restore 1 KB, 6 routes, 100,000 entities / GET 1 KB",
        peer="memory",
        ours=RESTORE,
        ours_expects='"dropped":[]',
        theirs=redis(b"GET", SCENE),
        theirs_expects='"selectedTab"',
        minimums={1: 0.7, 16: 0.7, 64: 0.7},
        aims={1: 1.1, 16: 1.1, 64: 1.1},
    ),
    Row(
        name="the same, an entity of its kind changed before each / GET and 6 SISMEMBER in one pipeline",
        peer="memory",
        ours=RESTORE,
        ours_expects='"dropped":[]',
        theirs=CHECKED_GET,
        theirs_expects='"selectedTab"',
        minimums={1: 0.5, 16: 0.5, 64: 0.5},
        aims={1: 1.0, 16: 1.0, 64: 1.0},
        theirs_replies=7,
        ours_change=varlink("PutEntities", b'{"app":"bench","kind":"card","ids":["new-' + DIGITS + b'"]}'),
        theirs_change=redis(b"SADD", b"card", b"new-" + DIGITS),
    ),
    Row(
        # An option goes round the cache of finished replies: the state is read, walked and looked up each time.
        name="the same restore, made anew each time / GET and 6 SISMEMBER in one pipeline",
        peer="memory",
        ours=varlink("Restore", b'{"app":"bench","scene":"' + SCENE + b'","stale":"drop"}'),
        ours_expects='"dropped":[]',
        theirs=CHECKED_GET,
        theirs_expects='"selectedTab"',
        minimums={1: None, 16: None},
        theirs_replies=7,
    ),
    Row(
        name="durable save 1 KB, each differing / SET 1 KB, fsync always",
        peer="durable",
        ours=SAVE,
        ours_expects='"changed":true',
        theirs=redis(b"SET", SCENE, STATE),
        theirs_expects="+OK",
        minimums={1: 0.8, 16: 0.8, 64: 0.8},
        aims={1: 1.2, 16: 1.2, 64: 1.2},
    ),
]

SCENES = 64  # as many as there are connections at most
