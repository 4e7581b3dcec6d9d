"""The titles that tests of the platform take as samples: the one place among them that names any.

Whoever needs every title asks the registry.  What is about one title stands in its own folder, in
`tests/titles` and, where it takes a browser, in `tests/browser/titles`.
"""

SMALL = "micatio"  # soon over and soon compiled; 2 to 6 seats, dice, choices that stay hidden for a while
LARGE = "roma"  # two seats, dice, a deck and hands; drawings of its own; the first one on the page
WIDE = "conquest"  # a large box, advice
PLANNED = "duellum"  # turns of many small actions, which bots plan as a whole
BARE = "terni"  # no chance, nothing hidden, drawn by the platform; the last one of the registry

# How titles are played where a whole game must be soon over; the others are short as they are.
QUICK: dict[str, dict[str, str | int]] = {
    LARGE: {"small": "ten other cards"},
    PLANNED: {"small": "straits"},
    WIDE: {"max_rounds": 5},
    SMALL: {"rounds": 2},
}
