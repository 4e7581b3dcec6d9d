"""Scenes: a position, some actions and what must follow, as a TOML file.

A scene is a printed example, a test of a ruling, a puzzle or a bug report::

    title = "micatio"
    name = "The only right guess takes the stake"
    rules = ["M6"]
    seats = 3
    [position]
    phase = "guess"
    stake = 2
    fingers = [1, 3, 2]
    guess = [6, 9, 0]
    turn = 2
    [[step]]
    seat = 2
    play = "guess 7"
    expect = { coins = [14, 8, 8], phase = "stake", to_move = 1 }

`play` and `chance` take one text or a list; `legal` and `illegal` list texts, an illegal one also as
`{ play = "stake 9", rule = "M2" }`.  `expect` takes paths of the position and `to_move`, `result`,
`check`, `view.SEAT.path`.  A position that breaks an invariant is refused unless `free = true`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .chance import CHANCE, OVER, SPECTATOR
from .errors import FormatError, IllegalAction, LudusError
from .game import Game
from .naming import assign, mismatch
from .title import Title

FindTitle = Callable[[str], Title[Any, Any]]

_TOP = {"title", "name", "rules", "source", "note", "free", "seats", "options", "box", "position", "step"}
_STEP = {"seat", "play", "chance", "legal", "illegal", "expect", "note"}


@dataclass(frozen=True)
class Scene:
    """A scene as read from its file: everything but the title is still data."""

    path: Path
    title: Title[Any, Any]
    name: str
    rules: tuple[str, ...]
    source: str
    free: bool
    seats: int | None
    options: Mapping[str, Any]
    box: str  # a small box by name, instead of options
    position: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]


@dataclass
class Report:
    """What running a scene found."""

    scene: str
    failures: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures


def scene_files(*paths: Path) -> list[Path]:
    """All scene files of files and folders, in order; FormatError for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(sorted(path.rglob("*.toml")))
        elif path.is_file():
            found.append(path)
        else:
            raise FormatError("there is no such file or folder", source=str(path))
    return found


def read_scene(path: Path, find: FindTitle) -> Scene:
    """Read a scene file; FormatError says what is wrong with it."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(str(error), source=str(path)) from None
    _refuse_unknown(data, _TOP, path)
    for key in ("title", "name", "step"):
        if key not in data:
            raise FormatError(f"a scene needs {key!r}", source=str(path))
    for step in data["step"]:
        _refuse_unknown(step, _STEP, path)
    try:
        title = find(data["title"])
    except LudusError as error:
        raise FormatError(str(error), source=str(path)) from None
    return Scene(
        path=path,
        title=title,
        name=data["name"],
        rules=tuple(data.get("rules", ())),
        source=data.get("source", ""),
        free=bool(data.get("free", False)),
        seats=data.get("seats"),
        options=data.get("options", {}),
        box=data.get("box", ""),
        position=data.get("position", {}),
        steps=tuple(data["step"]),
    )


def _refuse_unknown(data: Mapping[str, Any], known: set[str], path: Path) -> None:
    for key in data:
        if key not in known:
            raise FormatError(f"unknown key {key!r}; known are {', '.join(sorted(known))}", source=str(path))


def set_up(scene: Scene, form: str = "plain") -> Game[Any, Any]:
    """The game at the position of a scene, with chance to be forced by hand."""
    title = scene.title
    if scene.box and scene.box not in title.small_boxes():
        raise FormatError(f"{title.name} has no box called {scene.box!r}")
    box = title.small_boxes()[scene.box] if scene.box else title.box_for(scene.seats, **scene.options)
    game = Game(title, box, seed=0, form="plain", chance="manual")
    s = game.position
    for path, given in _paths(scene.position):
        assign(title.position, s, path, given, game.labels)
    title.settle(s, box, frozenset(path.split(".")[0] for path in scene.position))
    data = title.position.pack(s)
    broken = title.rules.check(s, box)
    if broken and not scene.free:
        reason = title.words.say("en", f"invariant.{broken}")
        raise FormatError(f"impossible position: {reason} (set free = true to allow it)")
    return Game(title, box, seed=0, form=form, chance="manual", start=data)


def _paths(position: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Whole fields first, so that a path may change one place of a field given as a list."""
    yield from sorted(position.items(), key=lambda item: item[0].count("."))


def run_scene(scene: Scene, form: str = "plain") -> Report:
    """Play a scene through and compare; every step is tried until one cannot be played."""
    report = Report(scene.name)
    try:
        game = set_up(scene, form)
    except LudusError as error:
        report.failures.append(f"set-up: {error}")
        return report
    for number, step in enumerate(scene.steps, 1):
        try:
            _play_step(game, step)
        except LudusError as error:
            report.failures.append(f"step {number}: {error}")
            return report
        report.failures.extend(f"step {number}: {problem}" for problem in _check_step(game, step))
    return report


def _texts(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _play_step(game: Game[Any, Any], step: Mapping[str, Any]) -> None:
    if "seat" in step and game.to_move != step["seat"]:
        raise IllegalAction(f"seat {step['seat']} should be to move, but it is {_mover(game)}")
    for text in _texts(step.get("play", ())):
        if game.to_move == CHANCE:
            raise IllegalAction(f"{text!r} cannot be played: chance is to move")
        game.play(text)
    for text in _texts(step.get("chance", ())):
        if game.to_move != CHANCE:
            raise IllegalAction(f"{text!r} cannot be drawn: chance is not to move")
        game.play(text)


def _mover(game: Game[Any, Any]) -> Any:
    return {CHANCE: "chance", OVER: "over"}.get(game.to_move, game.to_move)


def _check_step(game: Game[Any, Any], step: Mapping[str, Any]) -> Iterator[str]:
    listed = [a.text for a in game.legal()] or [a.text for a, _ in game.odds()]
    for text in _texts(step.get("legal", ())):
        if _canonical(game, text) not in listed:
            yield f"{text!r} should be legal; legal are {', '.join(listed) or 'none'}"
    for given in step.get("illegal", ()):
        wanted = given if isinstance(given, Mapping) else {"play": given}
        yield from _check_illegal(game, wanted["play"], wanted.get("rule"), listed)
    for path, wanted in step.get("expect", {}).items():
        problem = _check_expected(game, path, wanted)
        if problem:
            yield problem


def _canonical(game: Game[Any, Any], text: str) -> str:
    codes = game.title.codes
    return codes.text(codes.read(text, game.labels), game.labels)


def _check_illegal(game: Game[Any, Any], text: str, rule: str | None, listed: list[str]) -> Iterator[str]:
    if _canonical(game, text) in listed:
        yield f"{text!r} should not be legal"
    elif rule is not None:
        found = game.refusal(game.title.codes.read(text, game.labels)).rule
        if found != rule:
            yield f"{text!r} should be refused because of {rule}, not {found or 'nothing'}"


def _check_expected(game: Game[Any, Any], path: str, wanted: Any) -> str:
    if path == "to_move":
        return "" if _mover(game) == wanted else f"to_move is {_mover(game)}, expected {wanted}"
    if path == "result":
        result = list(game.outcome.returns) if game.outcome else None
        return "" if result == wanted else f"result is {result}, expected {wanted}"
    if path == "check":
        broken = game.form.check(game.s)
        return "" if broken == wanted else f"check is {broken}, expected {wanted}"
    if path.startswith("view."):
        return _check_view(game, path, wanted)
    return mismatch(game.title.position, game.position, path, wanted, game.labels)


def _check_view(game: Game[Any, Any], path: str, wanted: Any) -> str:
    _, seat, *words = path.split(".")
    value: Any = game.view(SPECTATOR if seat == "spectator" else int(seat))
    for word in words:
        value = value[int(word)] if isinstance(value, list) else value.get(word)
    shown = _spelled(value)
    return "" if shown == wanted else f"{path} is {shown!r}, expected {wanted!r}"


def _spelled(value: Any) -> Any:
    """TOML has no null: "hidden" stands for what is not shown."""
    if isinstance(value, list):
        return [_spelled(item) for item in value]
    return "hidden" if value is None else value


def write_scene(game: Game[Any, Any], name: str, box: str, options: Mapping[str, Any], play: str) -> str:
    """A scene of a game's position and one action, as a bug report: free, and numbers only."""
    rows = [
        f"title = {_toml(game.title.name)}",
        f"name = {_toml(name)}",
        "free = true",
        f"seats = {game.seats}",
    ]
    rows += (
        [f"box = {_toml(box)}"] if box else ["[options]", *(f"{k} = {_toml(v)}" for k, v in options.items())]
    )
    rows.append("[position]")
    rows += [f"{key} = {value}" for key, value in game.title.position.json(game.position).items()]
    rows.append("[[step]]")
    rows.append(f"{'chance' if game.to_move == CHANCE else 'play'} = {_toml(play)}")
    return "\n".join([*rows, "expect = { check = 0 }", ""])


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
