"""What a view of Duellum shows.  The types of its drawing in the browser are made from them (tools/web)."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from .layout import Phase

Heap = dict[str, int]  # things by name, and how many; what is not there is left out


class Fields(TypedDict):
    """The fields of the position by name: everything lies open.  Lists are by seat."""

    phase: Phase
    main: Phase
    active: str
    starter: str
    turns: int
    winner: int
    stone: list[str]
    goods: list[Heap]
    know: list[Heap]
    persons: list[Heap]
    walls: list[int]
    supply: list[Heap]
    recruits: list[Heap]
    army: list[dict[str, Heap]]
    leader_at: NotRequired[list[str]]
    cities: list[int]
    owner: dict[str, str]
    makes: dict[str, str]
    temple: Heap
    wall: Heap
    bank_coins: int
    bank_temples: int
    bank_tokens: Heap
    deck: Heap
    display: Heap
    hand: list[Heap]
    discard: Heap
    picks: int
    refill: int
    ready: Heap
    armed: Heap
    fresh: Heap
    firsts: int
    razed: int
    taken: int
    left: dict[str, list[Heap]]
    leader_left: int
    due: Heap
    toll: int
    lowest: int
    give_left: int
    gave: int
    swap: int
    take_left: int
    group_unit: str
    group_from: str
    group_steps: int
    group_size: int
    ask: int
    target: str
    card: str
    free_more: int
    temple_deal: int
    temple_free: int
    arm_deal: int
    veterans: int
    know_deal: int
    know_least: int
    city_free: int
    city_deal: int
    siege: Heap
    siege_least: int
    fort: Heap


class Prices(TypedDict):
    """What things cost the seat whose turn it is.  `city` is marble, iron and gold; of a know-how there are
    the price of the first, of the second, and the present one."""

    city: list[int]
    temple: int
    wall: int
    arm: int
    leader: int
    recruit: Heap
    know: dict[str, list[int]]


class Board(Fields):
    """The fields, and what follows from them.  What only some boards and phases have may be missing."""

    score: list[int]
    goal: int
    navigation: list[int]
    defence: Heap
    sides: list[str]
    leaders: NotRequired[list[str]]
    turn_cap: NotRequired[int]
    house_cards: list[str]
    map: str
    stacks: Heap
    wall_marks: list[int]
    prices: Prices
    city_tax: dict[str, list[int]]
    threats: Heap
    tolls: NotRequired[Heap]
    temple_tax: NotRequired[Heap]
    needed: NotRequired[Heap]
