"""A scene as an example that one steps through: what is said, and what a seat sees, after each step.

Printed examples are scenes whose file begins with `example-` or `EX-`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.core.chance import CHANCE
from ludus.core.errors import FormatError
from ludus.core.expecting import texts
from ludus.core.game import Game, View
from ludus.core.scene import Scene, play_step, read_scene, set_up
from ludus.core.telling import Told, join_throws, say_choice, tell_action
from ludus.core.title import Title
from ludus.core.words import Words

PAGE_WORDS = Words(Path(__file__).parent / "words")
PRINTED = ("example-", "EX-")
SIDE = "side"  # the labels of a title that name its sides, seat by seat


@dataclass
class ExampleStep:
    """What can be seen and is said at one step of an example."""

    view: View
    said: list[str] = field(default_factory=list)
    rule: str = ""  # which forbids what is said to be forbidden
    rows: list[dict[str, Any]] = field(
        default_factory=list
    )  # the actions that led here, as a drawing takes them


@dataclass(frozen=True)
class PlayedExample:
    """An example played through: the first moment is how it begins."""

    eye: int  # through whom one looks: who plays most; where nobody plays, who could
    names: tuple[str, ...]
    options: dict[str, Any]
    rules: tuple[str, ...]
    moments: tuple[ExampleStep, ...]


def scene_path(title: Title[Any, Any], name: str) -> Path | None:
    """The file of a scene of a title; None where there is none of this name."""
    folder = title.folder / "scenes"
    return next((path for path in folder.glob("*.toml") if path.stem == name), None)


def printed_examples(title: Title[Any, Any]) -> list[str]:
    """The scenes of a title that are examples of its rulebook."""
    return sorted(p.stem for p in (title.folder / "scenes").glob("*.toml") if p.stem.startswith(PRINTED))


def play_example(title: Title[Any, Any], name: str, lang: str, called: Sequence[str] = ()) -> PlayedExample:
    """Play a scene through; FormatError where there is none, or where it cannot be played.

    `called` are the names of the players, as an example tells them.
    """
    path = scene_path(title, name)
    if path is None:
        raise FormatError(f"{title.name} has no scene {name!r:.80}")
    scene = read_scene(path, lambda _: title)
    game = set_up(scene)
    actors = _actors(scene)
    eye = Counter(actors).most_common(1)[0][0] if actors else max(game.to_move, 0)
    names = tuple(called) if called else _names(game, lang)
    if len(names) != game.seats:
        raise FormatError(f"scene {name} has {game.seats} seats, and {len(names)} names are given")
    tale = _Tale(game, eye, names, lang)
    for step in scene.steps:
        tale.play(step, plays=bool(actors))
    tale.end()
    setting = title.read_setting(scene.seats, {} if scene.box else scene.options)[1]
    return PlayedExample(eye, names, setting, scene.rules, tuple(tale.moments))


def _actors(scene: Scene) -> list[int]:
    """Who plays how often: the seat to move before each action of a seat."""
    game = set_up(scene)
    actors: list[int] = []
    for step in scene.steps:
        actors += [game.to_move] * bool(texts(step.get("play", ())))
        play_step(game, step)
    return actors


def _names(game: Game[Any, Any], lang: str) -> tuple[str, ...]:
    sides = game.labels.get(SIDE, ())
    if "none" in sides and len(sides) == game.seats + 1:  # whose a thing is: a seat's, or nobody's
        return tuple(game.words.name(lang, SIDE, side) for side in sides if side != "none")
    return tuple(PAGE_WORDS.say(lang, "seat", n=seat + 1) for seat in range(game.seats))


class _Tale:
    """Grows moment by moment while a scene is played."""

    def __init__(self, game: Game[Any, Any], eye: int, names: Sequence[str], lang: str) -> None:
        self.game, self.eye, self.names, self.lang = game, eye, names, lang
        self.moments = [ExampleStep(game.view(eye))]
        self.played = 0
        self.pending: list[dict[str, Any]] = []  # actions of which nothing is said: they go with the next

    def play(self, step: Any, plays: bool) -> None:
        """`plays`: something happens in this scene, so that what could be done needs no mention."""
        told: list[Told | None] = []
        rows: list[dict[str, Any]] = []
        for kind in ("play", "chance"):
            for text in texts(step.get(kind, ())):
                one, row = self._action({**step, "play": (), "chance": (), kind: text})
                told.append(one)
                rows.append(row)
        for row, said in zip(rows, join_throws(self.game, self.lang, told), strict=True):
            row["log"] = said
            self.pending.append(row)
            if said:
                self.moments.append(ExampleStep(row["view"], said, rows=self.pending))
                self.pending = []
        refused = step.get("illegal", ())
        if not plays or refused:
            self._possible(texts(step.get("legal", step.get("only", ()))))
        for one_refused in [refused] if isinstance(refused, str | dict) else refused:
            self._refused(one_refused)

    def end(self) -> None:
        if self.pending:
            self.moments.append(ExampleStep(self.pending[-1]["view"], rows=self.pending))

    def _action(self, step: Any) -> tuple[Told, dict[str, Any]]:
        game, eye = self.game, self.eye
        before, mover = game.sight(eye), game.to_move
        turn = game.title.talk.turn(before)
        play_step(game, {key: step[key] for key in ("play", "chance")})
        face = game.face(game.line[-1], eye)
        self.played += 1
        row = {
            "n": self.played,
            "who": "chance" if mover == CHANCE else mover,
            "text": face.text,
            "turn": turn[0] if turn[0] >= 0 else None,
            "round": turn[1],
            "stands": True,
            "view": game.view(eye),
        }
        return tell_action(game, self.lang, self.names, before, face, game.sight(eye)), row

    def _possible(self, legal: Sequence[str]) -> None:
        if legal:
            choices = ", ".join(self._choice(text) for text in legal)
            self._say(PAGE_WORDS.say(self.lang, "possible", choices=choices), "")

    def _refused(self, refused: Any) -> None:
        text = refused if isinstance(refused, str) else refused["play"]
        rule = "" if isinstance(refused, str) else refused.get("rule", "")
        self._say(PAGE_WORDS.say(self.lang, "refused", choice=self._choice(text)), rule)

    def _say(self, sentence: str, rule: str) -> None:
        self.moments.append(ExampleStep(self.game.view(self.eye), [sentence], rule, self.pending))
        self.pending = []

    def _choice(self, text: str) -> str:
        game = self.game
        code = game.title.codes.read(text, game.labels)
        return say_choice(game, self.lang, code, game.sight(max(game.to_move, 0)), self.names)
