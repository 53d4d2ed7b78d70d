"""What `make bench` measures: each row is data, so that another one is a few lines here."""

from dataclasses import dataclass

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


SCENE = b"scene-" + CONNECTION

ROWS = [
    Row(
        name="restore 1 KB, 6 routes, 100,000 entities / GET 1 KB",
        peer="memory",
        ours=varlink("Restore", b'{"app":"bench","scene":"main"}'),
        ours_expects='"dropped":[]',
        theirs=redis(b"GET", b"main"),
        theirs_expects='"selectedTab"',
        minimums={1: 0.5, 16: 0.25, 64: None},
    ),
    Row(
        # An option goes round the cache of finished replies: the state is read, walked and looked up each time.
        name="the same restore, nothing cached / GET 1 KB",
        peer="memory",
        ours=varlink("Restore", b'{"app":"bench","scene":"main","stale":"drop"}'),
        ours_expects='"dropped":[]',
        theirs=redis(b"GET", b"main"),
        theirs_expects='"selectedTab"',
        minimums={1: None, 16: None},
    ),
    Row(
        name="durable save 1 KB, each differing / SET 1 KB, fsync always",
        peer="durable",
        ours=varlink("Save", b'{"app":"bench","scene":"' + SCENE + b'","state":' + STATE + b"}"),
        ours_expects='"changed":true',
        theirs=redis(b"SET", SCENE, STATE),
        theirs_expects="+OK",
        minimums={1: 0.5, 16: 0.3, 64: 0.3},
    ),
]

IDLE_SECONDS = 10
IDLE_MAXIMUM_RSS_MB = 12.0
