"""All limits in one place: how often somebody may do something, how many at once, and how large.

A limit is a bucket of tokens for each key (an address, a person, a socket) that fills up again
evenly.  Buckets live in the process: two processes allow twice as much, which is still a limit.
An address of IPv6 counts as its network of 64 bits, all of which one customer is given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network

from ludus.core.errors import LudusError


@dataclass(frozen=True)
class Rate:
    """So many in so many seconds, for each key."""

    many: int
    seconds: float


RATES = {
    "request": Rate(300, 20.0),  # HTTP requests, an address
    "file": Rate(1500, 60.0),  # scripts, styles, fonts, an address: a club opens many pages at once
    "seat_message": Rate(100, 20.0),  # messages of a socket that has a seat
    "watch_message": Rate(50, 20.0),  # messages of a socket that only watches
    "socket": Rate(60, 60.0),  # new sockets, an address
    "guest": Rate(20, 60.0),  # new guests, an address
    "match": Rate(10, 60.0),  # new matches, a person
    "match_address": Rate(30, 60.0),  # new matches, an address
    "chat": Rate(30, 60.0),  # chat lines, a person
    "login": Rate(5, 60.0),  # attempts to log in, an account from an address
    "login_address": Rate(10, 60.0),  # attempts to log in, an address
    "login_account": Rate(30, 60.0),  # attempts to log in, an account, from addresses where it never did
    "password": Rate(5, 60.0),  # new passwords and accounts, an address
    "picture": Rate(30, 60.0),  # links as QR codes, a person
    "what_if": Rate(200, 20.0),  # what-if queries, a person
    "position": Rate(200, 20.0),  # positions that a person looks at or checks
    "report": Rate(5, 3600.0),  # bugs in the rules that a person hands in
    "progress": Rate(60, 60.0),  # what a person has learnt or solved, noted
    "hint": Rate(20, 60.0),  # moves that a bot thinks out for a person
    "lesson": Rate(200, 20.0),  # moves and questions of learners, an address
    "puzzle": Rate(200, 20.0),  # moves and questions at puzzles, an address
    "taken": Rate(240, 60.0),  # puzzles that are taken along, an address
    "puzzles": Rate(10, 0.2),  # files of puzzles that are opened, an address
    "story": Rate(120, 60.0),  # pages of a record, moments and match files, a person or an address
    "analysis": Rate(10, 600.0),  # analyses that a person asks for; such as are kept already cost nothing
    "study": Rate(60, 60.0),  # studies begun and changed, a person
    "frame": Rate(100, 20.0),  # pings, pongs and parts of a message, a socket
}
AT_ONCE = {
    "story": 3,  # stories that one person or address waits for
    "stories": 60,  # stories that everybody together waits for
    "what_if": 4,  # what-ifs of one person
    "position": 2,  # positions that one person waits for
    "taken": 2,  # puzzles to be taken along that one address waits for
    "hint": 1,  # hints that one person waits for
    "sockets": 40,  # sockets of one person
    "sockets_match": 8,  # sockets of one person at one match
    "sockets_address": 400,  # sockets of one address
    "waiting": 10,  # matches of one person that wait for players
    "requests": 100,  # HTTP requests of one address, also behind the proxy
    "connections": 500,  # connections of one address; half of all places where there are fewer
    "analyses": 2,  # analyses of one person that wait or are being made
    "analyses_all": 60,  # the same of everybody together
    "pipelined": 16,  # requests of one connection that wait for the one before them
}
# What is read of a request before anybody knows what is wanted: bytes, and headers by number.
SIZES = {
    "url": 8 * 1024,
    "head": 32 * 1024,
    "headers": 100,
    "body": 64 * 1024,
    "body on the wire": 1024 * 1024,  # with the sizes of its chunks, or after the answer that it is too large
}


@lru_cache(4096)
def network(address: str) -> str:
    """Whom a limit by address counts as one: an IPv4 address, or the /64 that one IPv6 line has to itself.

    >>> network("2001:db8:0:1:abcd::7"), network("::ffff:192.0.2.1"), network("192.0.2.1"), network("anna")
    ('2001:db8:0:1::/64', '192.0.2.1', '192.0.2.1', 'anna')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


class TooMany(LudusError):
    """A limit was reached; `wait` is how long until one more is allowed."""

    def __init__(self, rule: str, wait: float) -> None:
        self.rule, self.wait = rule, wait
        super().__init__(f"too many at a time ({rule}); try again in {max(1, round(wait))} s")


class Limiter:
    """Buckets by rule and key.

    >>> now = [0.0]
    >>> limiter = Limiter(clock=lambda: now[0])
    >>> for _ in range(5): limiter.take("login", "anna")
    >>> limiter.take("login", "anna")
    Traceback (most recent call last):
        ...
    ludus.server.limiter.TooMany: too many at a time (login); try again in 12 s
    >>> now[0] = 12.1
    >>> limiter.take("login", "anna")
    """

    SWEEP = 60.0

    def __init__(self, on: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self.on, self._clock = on, clock
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # tokens, and when
        self._busy: dict[tuple[str, str], int] = {}
        self._swept = clock()

    def take(self, rule: str, key: str) -> None:
        """Count one more; TooMany when that is too much."""
        if not self.on:
            return
        now, rate, key = self._clock(), RATES[rule], network(key)
        tokens, then = self._buckets.get((rule, key), (float(rate.many), now))
        tokens = min(float(rate.many), tokens + (now - then) * rate.many / rate.seconds)
        if tokens < 1.0:
            raise TooMany(rule, (1.0 - tokens) * rate.seconds / rate.many)
        self._buckets[rule, key] = (tokens - 1.0, now)
        if now - self._swept > self.SWEEP:
            self._sweep(now)

    def _sweep(self, now: float) -> None:
        """Forget buckets that are full again, so that memory stays bounded."""
        self._swept = now
        for (rule, key), (_, then) in list(self._buckets.items()):
            if now - then > RATES[rule].seconds:
                del self._buckets[rule, key]

    def enter(self, rule: str, key: str) -> None:
        """One more at the same time."""
        key = network(key)
        busy = self._busy.get((rule, key), 0)
        if self.on and busy >= AT_ONCE[rule]:
            raise TooMany(rule, 1.0)
        self._busy[rule, key] = busy + 1

    def exit(self, rule: str, key: str) -> None:
        key = network(key)
        left = self._busy.get((rule, key), 0) - 1
        if left > 0:
            self._busy[rule, key] = left
        else:
            self._busy.pop((rule, key), None)

    @contextmanager
    def at_once(self, rule: str, key: str) -> Iterator[None]:
        self.enter(rule, key)
        try:
            yield
        finally:
            self.exit(rule, key)
