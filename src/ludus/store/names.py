"""Names: what may be one, and when two of them are the same to a reader.

A name is shown as it was meant (NFKC, nothing invisible, one script) and compared by how it looks: "Anna",
"ANNA", "An na" and one that is written in Cyrillic letters are one name, and nobody is called like a bot or
like an empty seat.
Names that were given before these rules stay as they are.
"""

from __future__ import annotations

import re
import unicodedata

from ludus.core.errors import LudusError
from ludus.match.match import NAME_LENGTH

from .forgetting import FORGOTTEN

KEY_LENGTH = 80
MARKS = 3  # accents and vowel signs on one letter, at most


class BadName(LudusError):
    """A name that cannot be shown."""


# Nothing of these is seen, though Unicode calls them letters, marks or symbols.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159\U00016fe4")
_SELECTORS = ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))

# Letters of other scripts that look like Latin ones: as small letters, and as capitals where that differs.
_SMALL = dict(
    zip(
        "αβγεζηικμνορτυχω" + "авгеиікмнопрстухѕјԁһԛԝӏьүї" + "ёıɑɡǀɩ",
        "abyeznikuvoptuxw" + "abreuikmhonpctyxsjdhqwlbyï" + "ëiaglı",
        strict=True,
    )
)
_CAPITAL = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
_ALIKE = str.maketrans(
    {"l": "i", "1": "i", "|": "i", "ı": "i", "0": "o", "‐": "-", "‑": "-", "–": "-", "’": "'"}
)
_EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "BOPOMOFO", "HANGUL"}
_NUMBER = r"\W*[\dio]+"
_PLAYER = re.compile(rf"(?:piayer|joueur|giocatore|spieier){_NUMBER}")  # as the client says it, by its looks
_SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "


def _invisible(c: str) -> bool:
    return not (c.isprintable() or c.isspace()) or c in _BLANK or any(a <= ord(c) <= b for a, b in _SELECTORS)


def _plain(name: str) -> str:
    """Without compatibility forms and without what cannot be seen."""
    return "".join(c for c in unicodedata.normalize("NFKC", name) if not _invisible(c))


# -- comparing ----------------------------------------------------------------------------------------------


def _look(name: str) -> str:
    """How a name looks to somebody who does not look closely; spaces stay."""
    small = "".join(_latin(c) for c in _plain(name).casefold()).translate(_ALIKE)
    return small.replace("rn", "m").replace("vv", "w")


def _latin(c: str) -> str:
    if c in _SMALL:
        return _SMALL[c]
    told = unicodedata.name(c, "")
    if told.startswith(_SMALL_CAPITAL) and len(told) == len(_SMALL_CAPITAL) + 1:
        return told[-1].lower()
    return c


def name_key(name: str) -> str:
    """How names compare: by their looks, without case and spaces.

    >>> name_key("Paul 10") == name_key(" PAUl 1O") == name_key("\\u0420aul\\u200b10")
    True
    """
    return "".join(_look(name).split())[:KEY_LENGTH]


def earlier_key(name: str) -> str:
    """How names were compared before looks counted; two people of that time may look the same."""
    return unicodedata.normalize("NFKC", name).casefold().replace(" ", "")[:KEY_LENGTH]


def keys_alike(name: str) -> set[str]:
    """Every key under which somebody may be found who looks the same."""
    capitals = "".join(_CAPITAL.get(c, c) for c in _plain(name))
    return {name_key(name), name_key(capitals), earlier_key(name)}


# -- taking a name ------------------------------------------------------------------------------------------


def clean_name(given: str, screen: bool = False) -> str:
    """A name as it is shown; BadName says what is wrong with one that cannot be.

    Somebody on another's `screen` may be called "Player 2", and nobody else: the client calls them so.
    """
    name = " ".join(_plain(given).split())
    if not 2 <= len(name) <= NAME_LENGTH:
        raise BadName(f"a name has 2 to {NAME_LENGTH} characters that can be seen")
    _check_letters(name)
    _check_reserved(name, screen)
    return name


def _check_letters(name: str) -> None:
    letters = [c for c in name if unicodedata.category(c).startswith("L")]
    if not letters and not any(c.isalnum() for c in name):
        raise BadName("a name has a letter or a number in it")
    marks = [unicodedata.category(c) in ("Mn", "Mc", "Me") for c in name]
    if marks[0] or any(all(marks[k : k + MARKS + 1]) for k in range(len(marks) - MARKS)):
        raise BadName(f"a letter of a name has at most {MARKS} marks, and a mark stands on a letter")
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in letters} - {"", "MODIFIER"}
    if len(scripts) > 1 and not scripts <= _EAST_ASIAN | {"LATIN"}:
        told = " and ".join(sorted(s.title() for s in scripts))
        raise BadName(f"a name is written in one script: letters of {told} look alike")


def _check_reserved(name: str, screen: bool) -> None:
    look = _look(name)
    if "bot" in re.findall(r"[^\W_]+", look):
        raise BadName("this name looks like that of a bot; take another")
    if re.fullmatch(rf"seat{_NUMBER}", look) or (not screen and _PLAYER.fullmatch(look)):
        raise BadName("this name looks like that of a seat without a player; take another")
    if name_key(name) == name_key(FORGOTTEN):
        raise BadName("this name stands for people who were forgotten; take another")
