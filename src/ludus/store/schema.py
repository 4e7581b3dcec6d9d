"""The tables.  `migrations` make the same ones step by step; a test compares the two.

Times are seconds since 1970 as floats.  Lists and options are JSON texts, so that a row reads the same
in both databases and in a backup.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy import Table as SqlTable

ID = String(32)
NAME = String(80)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# What the installation itself must remember: the secret that signs identities.
installation = SqlTable(
    "house",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

# A guest has no password; a name is held by one person only (name_key: how it compares).
people = SqlTable(
    "people",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("name_key", NAME, nullable=False, unique=True),
    Column("password", String(200)),
    Column("banned", Boolean, nullable=False),
    Column("created", Double, nullable=False),
)

# id is the SHA-256 of the token: who reads the database cannot log in with it.
sessions = SqlTable(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("person_id", ID, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
)

matches = SqlTable(
    "matches",
    metadata,
    Column("id", ID, primary_key=True),
    Column("incarnation", ID, nullable=False),  # new when the match was restored: caches are void
    Column("revision", Integer, nullable=False),  # rises with every change of anything but chat
    Column("title", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("names", Text, nullable=False),  # as they were when play began
    Column("box_hash", String(64), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("same_screen", Boolean, nullable=False),
    Column("state", String(10), nullable=False, index=True),  # waiting, running, over, closed
    Column("creator_id", ID, ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("client", String(64)),  # the creator's own id of the command that made it
    Column("secret", String(64), nullable=False),  # the key of the dice
    Column("clock", Text, nullable=False),
    Column("clock_state", Text, nullable=False),
    Column("deadline", Double, index=True),  # when the seat to move runs out of time
    Column("bot_due", Double, index=True),  # when somebody else should think for the bot to move
    Column("to_move", Integer, nullable=False),
    Column("entries", Integer, nullable=False),
    Column("chat", Integer, nullable=False),
    Column("hash", String(64), nullable=False),  # of the position after the last entry
    Column("result", String(40), nullable=False),
    Column("ending", String(20), nullable=False),
    Column("again_id", ID),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("score", String(80), nullable=False, default="", server_default=""),  # of each seat, as all see it
    Column(
        "start", Text, nullable=False, default="", server_default=""
    ),  # the position it begins from, or ""
    Column("hints", Boolean, nullable=False, default=False, server_default=false()),  # agreed at the set-up
    Column("rated", String(10), nullable=False, default="", server_default=""),  # "", lot, return (rated.py)
    UniqueConstraint("creator_id", "client"),
)

# kind: person (taken, or free again after the person left), bot, open, link (needs the invitation),
# held (for one person who has not said yes yet).
seats = SqlTable(
    "seats",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("person_id", ID, ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("former_id", ID, index=True),
    Column("bot", String(40), nullable=False),
    Column("name", NAME, nullable=False),
    Column("invite", ID, nullable=False),
    Column("nonce", String(32), nullable=False),
    Column(
        "strength", Text, nullable=False, default="", server_default=""
    ),  # in a rated match (strengths.py)
)

# Everybody who ever sat at a seat of a match that had begun, and so has seen its hand.  Ids only, also of
# people who are gone: a name is nowhere here.
sat = SqlTable(
    "sat",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person_id", ID, primary_key=True, index=True),
)

# command is PERSON:CLIENT of the command that made the entry, on its first entry: sent twice, it
# happens once.
entries = SqlTable(
    "entries",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("who", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("command", String(110)),
    Column("made", Double, nullable=False),
    UniqueConstraint("match_id", "command"),
)

snapshots = SqlTable(
    "snapshots",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("entries", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# room: table (the seats) or gallery (those who watch); each sees the other when the match is over.  pair: to
# one person alone, and nobody else ever reads it.  about: what a line is about besides its words, as JSON:
# seats, a peace (server/peace.py).
chat = SqlTable(
    "chat",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("room", String(10), nullable=False),
    Column("person_id", ID, index=True),
    Column("name", NAME, nullable=False),
    Column("text", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("to_id", ID, index=True),
    Column("about", Text, nullable=False, default="", server_default=""),
)

notes = SqlTable(
    "notes",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
)

# data: entries by name, as JSON (store/progress.py).
progress = SqlTable(
    "progress",
    metadata,
    Column("person_id", ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("data", Text, nullable=False),
    Column("updated", Double, nullable=False),
)

# text: a scene (store/reports.py).
reports = SqlTable(
    "reports",
    metadata,
    Column("id", ID, primary_key=True),
    Column("title", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("person_id", ID, ForeignKey("people.id", ondelete="SET NULL"), index=True),
    Column("made", Double, nullable=False),
)

# How strong somebody with an account is by their rated matches of a title.  What each match did to it stands
# with its seats.
strengths = SqlTable(
    "strengths",
    metadata,
    Column("person_id", ID, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("title", String(40), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", Double, nullable=False),
)

# How hard a puzzle has turned out to be for people with accounts; before anybody tried, its file says so.
puzzle_ratings = SqlTable(
    "puzzle_ratings",
    metadata,
    Column("title", String(40), primary_key=True),
    Column("name", String(40), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("tries", Integer, nullable=False),
)

# A finished match that somebody studies: data holds the matches that branch off it and comments, as JSON
# (server/studies.py).  It goes with its writer and with its match.
studies = SqlTable(
    "studies",
    metadata,
    Column("id", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", NAME, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("updated", Double, nullable=False),
)

# state: waiting, running (beat: when somebody last worked at it), done, failed, stopped.  part: the rows that
# are made so far; data: the whole.  Both hold numbers, no names, and can be made again.
analyses = SqlTable(
    "analyses",
    metadata,
    Column("match_id", ID, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", ID, index=True),  # who asked last
    Column("state", String(10), nullable=False, index=True),
    Column("entries", Integer, nullable=False),
    Column("rules", Integer, nullable=False),
    Column("asked", Double, nullable=False),
    Column("beat", Double, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("part", LargeBinary),
    Column("data", LargeBinary),
)

Index("ix_matches_open", matches.c.state, matches.c.public, matches.c.created)

# Parents before children: the order in which a backup is written and read.
TABLES = (
    installation, people, sessions, matches, seats, sat, entries, chat, notes, progress, reports,
    strengths, puzzle_ratings, studies,
)  # fmt: skip
CACHES = (snapshots, analyses)
