"""How finished public matches were begun, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, select

from ludus.match.entries import HOUSE

from .schema import entries, matches

Said = tuple[int, str]


def public_games(
    db: Connection, title: str, rules: int, most: int, first: int
) -> Iterator[tuple[list[float], list[Said]]]:
    """Result and first entries of the latest finished public matches of a title, by its present rules.

    Those that began from a position, or in whose beginning something was taken back, are left out."""
    latest = (
        select(matches.c.id, matches.c.result)
        .where(
            matches.c.title == title, matches.c.state == "over", matches.c.public, matches.c.start == "",
            matches.c.rules_version == rules, matches.c.result != "",
        )
        .order_by(matches.c.updated.desc())
        .limit(most)
    )  # fmt: skip
    for match_id, result in db.execute(latest).all():
        query = (
            select(entries.c.who, entries.c.text)
            .where(entries.c.match_id == match_id, entries.c.number <= first)
            .order_by(entries.c.number)
        )
        said = [(who, text) for who, text in db.execute(query)]
        if not any(who == HOUSE and text.partition(" ")[0] == "undo" for who, text in said):
            yield [float(r) for r in result.split()], said
