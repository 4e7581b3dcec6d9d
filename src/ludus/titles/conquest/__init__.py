"""Conquest of the Empire, the classic rules, for two to six seats."""

from ludus.core.title import Title

from .layout import Box, Position

TITLE: Title[Position, Box] = Title.from_package(
    __name__,
    version=2,
    length=100_000_000,  # with max_rounds=none; with a cap a fiftieth of it
    bench={"seats": 6, "acclamation": "off"},  # random votes would end games in the second round
    ladder=({"seats": 2}, {"seats": 4}),
    dilemmas=frozenset({"battles", "line", "losses", "decide", "victims", "retreat", "sink", "captive"}),
)
