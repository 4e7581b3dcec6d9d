"""Antike Duellum and Casus Belli: two peoples, a rondel, nine personages."""

from ludus.core.title import Title

from .layout import Box, Position

TITLE: Title[Position, Box] = Title.from_package(
    __name__,
    version=2,
    length=2_500_000,
    simulation={"turn_cap": 400},
    ladder=({}, {"board": "greece_persia"}, {"edition": "casus_belli"}),
)
