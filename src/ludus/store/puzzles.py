"""How hard puzzles have turned out to be."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from ludus.ratings import Rating

from .schema import puzzle_ratings as table


def ratings_of(db: Connection, title: str) -> dict[str, Rating]:
    """The puzzles of a title that somebody with an account has tried."""
    rows = db.execute(select(table).where(table.c.title == title)).all()
    return {row.name: Rating(row.rating, row.deviation, row.volatility) for row in rows}


def rating_of(db: Connection, title: str, name: str) -> Rating | None:
    """That of one puzzle; nobody else changes it before this transaction ends."""
    here = select(table).where(table.c.title == title, table.c.name == name).with_for_update()
    row = db.execute(here).one_or_none()
    return None if row is None else Rating(row.rating, row.deviation, row.volatility)


def keep_rating(db: Connection, title: str, name: str, rating: Rating) -> None:
    """After another try."""
    values = {"rating": rating.rating, "deviation": rating.deviation, "volatility": rating.volatility}
    here = (table.c.title == title) & (table.c.name == name)
    if not db.execute(update(table).where(here).values(**values, tries=table.c.tries + 1)).rowcount:
        db.execute(table.insert().values(title=title, name=name, **values, tries=1))
