"""Scenes: a position, some actions and what must follow, as a TOML file.

A scene is a printed example, a test of a ruling, a puzzle or a bug report; `docs/library.md` shows one.

`play` and `chance` take one text or a list; `legal` and `illegal` too, an illegal one also as
`{ play = "stake 9", rule = "M2" }`.  What `expect` takes is told in `core.expecting`.

The position is that of a new game with what the scene says changed.  A table such as `deck = { nero = 1 }`
is all that lies in that heap, and `"deck.nero" = 1`, in quotes, changes that number alone; of what is no heap
(`owner = { africa = 0 }`) a table changes the places that it names.  A position that breaks an invariant is
refused unless `free = true`, and so is one that a step leads to.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from traceback import extract_tb
from typing import Any

from .chance import CHANCE
from .codes import Labels, label
from .errors import FormatError, IllegalAction, LudusError
from .expecting import problems, texts, who_moves
from .game import Game
from .layout import Field, flatten
from .naming import assign
from .title import Title

FindTitle = Callable[[str], Title[Any, Any]]

Shape = tuple[Callable[[Any], bool], str]
"""What a key takes: a test, and how to say it."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(v, str) for v in value))


def _are_refused(value: Any) -> bool:
    if not isinstance(value, list):
        return isinstance(value, str) or _is_refused(value)
    return all(isinstance(v, str) or _is_refused(v) for v in value)


def _is_refused(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and "play" in value
        and _are_texts(list(value.values()))
        and set(value) <= {"play", "rule"}
    )


def _are_chances(value: Any) -> bool:
    return isinstance(value, Mapping) and all(_is_number(v) or isinstance(v, float) for v in value.values())


_TEXT: Shape = (lambda v: isinstance(v, str), "a text in quotes")
_TEXTS: Shape = (_are_texts, 'a text, or a list of texts such as ["stake 1", "show 2"]')
_NUMBER: Shape = (_is_number, "a whole number")
_TABLE: Shape = (lambda v: isinstance(v, Mapping), 'a table such as { phase = "stake" }')
_CHANCES: Shape = (_are_chances, 'points by choice such as { "stake 1" = 52.5 }')
_TOP: Mapping[str, Shape] = {
    "title": _TEXT,
    "name": _TEXT,
    "rules": (lambda v: isinstance(v, list) and _are_texts(v), 'a list of rules such as ["M6"]'),
    "source": _TEXT,
    "note": _TEXT,
    "free": (lambda v: isinstance(v, bool), "true or false"),
    "seats": _NUMBER,
    "options": _TABLE,
    "box": _TEXT,
    "position": _TABLE,
    "step": (
        lambda v: isinstance(v, list) and all(isinstance(s, Mapping) for s in v),
        "parts headed [[step]]",
    ),
}
_STEP: Mapping[str, Shape] = {
    "seat": _NUMBER,
    "play": _TEXTS,
    "chance": _TEXTS,
    "legal": _TEXTS,
    "only": _TEXTS,
    "illegal": (_are_refused, 'a text, { play = "stake 9", rule = "M2" }, or a list of such'),
    "best": _TEXTS,
    "avoid": _TEXTS,
    "chances": _CHANCES,
    "expect": _TABLE,
    "note": _TEXT,
}


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
class SceneReport:
    """What running a scene found."""

    scene: str
    failures: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.failures


def scene_files(*paths: Path) -> list[Path]:
    """All scene files of files and folders, in order; FormatError for a path without any."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob("*.toml"))
            if not inside:
                raise FormatError(
                    "there is no scene in this folder: scenes are files *.toml", source=str(path)
                )
            found.extend(inside)
        elif path.is_file():
            found.append(path)
        else:
            raise FormatError("there is no such file or folder", source=str(path))
    return found


def read_scene(path: Path, find: FindTitle) -> Scene:
    """Read a scene file; FormatError says what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(str(error), source=str(path)) from None
    except OSError as error:
        raise FormatError(error.strerror or "cannot be read", source=str(path)) from None
    return read_scene_text(text, find, path)


def read_scene_text(text: str, find: FindTitle, path: Path = Path("scene.toml")) -> Scene:
    """The same of a text that was read elsewhere."""
    try:
        return make_scene(path, tomllib.loads(text), find)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(str(error), source=str(path)) from None
    except LudusError as error:
        reason = error.reason if isinstance(error, FormatError) else str(error)
        raise FormatError(reason, source=str(path)) from None


def make_scene(path: Path, data: Mapping[str, Any], find: FindTitle) -> Scene:
    """A scene out of data that a file has; FormatError says what is wrong with them."""
    for key in ("title", "name", "step"):
        if key not in data:
            raise FormatError(f"a scene needs {key!r}")
    _check_shapes(data, _TOP)
    for number, step in enumerate(data["step"], 1):
        try:
            _check_shapes(step, _STEP)
        except FormatError as error:
            raise FormatError(f"step {number}: {error.reason}") from None
    title = find(data["title"])
    for rule in data.get("rules", ()):
        if not title.words.has(f"rule.{rule}"):
            raise FormatError(f"{title.name} has no rule {rule!r}; its RULES.md says which there are")
    return Scene(
        path=path,
        title=title,
        name=data["name"],
        rules=tuple(data.get("rules", ())),
        source=data.get("source", ""),
        free=data.get("free", False),
        seats=data.get("seats"),
        options=data.get("options", {}),
        box=data.get("box", ""),
        position=data.get("position", {}),
        steps=tuple(data["step"]),
    )


def _check_shapes(data: Mapping[str, Any], known: Mapping[str, Shape]) -> None:
    for key, value in data.items():
        if key not in known:
            raise FormatError(f"unknown key {key!r}; known are {', '.join(sorted(known))}")
        fits, words = known[key]
        if not fits(value):
            raise FormatError(f"{key} takes {words}, not {value!r:.60}")


def scene_position(scene: Scene) -> tuple[Any, Any]:
    """The box of a scene and its plain position, which may be impossible."""
    title = scene.title
    if scene.box and scene.box not in title.small_boxes():
        known = ", ".join(title.small_boxes()) or "none"
        raise FormatError(f"{title.name} has no box called {scene.box!r}; there are: {known}")
    box = title.small_boxes()[scene.box] if scene.box else title.box_for(scene.seats, **scene.options)
    return box, _position(title, box, scene.position)


def set_up(scene: Scene, form: str = "plain") -> Game[Any, Any]:
    """The game at the position of a scene, with chance to be forced by hand."""
    title = scene.title
    box, s = scene_position(scene)
    data = title.position.pack(s)
    broken = title.rules.check(s, box)
    if broken and not scene.free:
        reason = title.words.say("en", f"invariant.{broken}")
        blamed = _blamed(title, box, scene.position)
        raise FormatError(f"impossible position: {reason}{blamed} (set free = true to allow it)")
    return Game(title, box, seed=0, form=form, chance="manual", start=data)


def _position(title: Title[Any, Any], box: Any, given: Mapping[str, Any]) -> Any:
    """The plain position of a new game, changed as a scene says."""
    game = Game(title, box, seed=0, form="plain", chance="manual")
    s = game.position
    # Whole fields first, so that a path may change one place of a field given as a list.
    for path in sorted(given, key=lambda path: path.count(".")):
        assign(title.position, s, path, given[path], game.labels)
    title.settle(s, box, frozenset(path.split(".")[0] for path in given))
    return s


def _blamed(title: Title[Any, Any], box: Any, given: Mapping[str, Any]) -> str:
    """Which single thing that a scene says makes its position impossible."""
    fields = [(path, {k: v for k, v in given.items() if k != path}) for path in given]
    culprits = [path for path, rest in _leaving_out(given) if _is_possible(title, box, rest)]
    culprits = culprits or [path for path, rest in fields if _is_possible(title, box, rest)]
    if not culprits:
        return "; it is no single thing that the scene says"
    hint = ""
    name = culprits[0].split(".")[0]
    if isinstance(given.get(name), Mapping):
        one, others = (
            f'"{name}.NAME" = 1, in quotes, changes one number',
            f"the rest of {name} is as in a new game",
        )
        hint = (
            f"; the table {name} is the whole heap, {one}"
            if title.position.field[name].heap
            else f"; {others}"
        )
    return f"; without {' or '.join(culprits[:4])} it would be possible{hint}"


def _leaving_out(given: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything that a table says but one thing, for each of them."""
    for key, value in given.items():
        path = f"{above}{key}"
        rest = {k: v for k, v in given.items() if k != key}
        if isinstance(value, Mapping) and value:
            yield from ((inner, {**rest, key: less}) for inner, less in _leaving_out(value, f"{path}."))
        else:
            yield path, rest


def _is_possible(title: Title[Any, Any], box: Any, given: Mapping[str, Any]) -> bool:
    try:
        return title.rules.check(_position(title, box, given), box) == 0
    except LudusError:
        return False


def run_scene(scene: Scene, form: str = "plain") -> SceneReport:
    """Play a scene through and compare; every step is tried until one cannot be played."""
    report = SceneReport(scene.name)
    number = 0
    try:
        game = set_up(scene, form)
        for number, step in enumerate(scene.steps, 1):
            play_step(game, step)
            report.failures.extend(f"step {number}: {problem}" for problem in problems(game, step))
            if not scene.free and (broken := game.form.check(game.s)):
                reason = scene.title.words.say("en", f"invariant.{broken}")
                report.failures.append(f"step {number}: an impossible position follows: {reason}")
    except LudusError as error:
        report.failures.append(f"{_where(number)}: {error}")
    except (IndexError, ValueError, AssertionError, ZeroDivisionError) as error:
        frame = extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"
        report.failures.append(f"{_where(number)}: the rules cannot go on from here: {told}")
    return report


def _where(number: int) -> str:
    return f"step {number}" if number else "set-up"


def play_step(game: Game[Any, Any], step: Mapping[str, Any]) -> None:
    """Play what a step says; nothing of what it expects is looked at."""
    if "seat" in step and game.to_move != step["seat"]:
        raise IllegalAction(f"seat {step['seat']} should be to move, but it is {who_moves(game)}")
    for text in texts(step.get("play", ())):
        if game.to_move == CHANCE:
            raise IllegalAction(f"{text!r} cannot be played: chance is to move")
        game.play(text)
    for text in texts(step.get("chance", ())):
        if game.to_move != CHANCE:
            raise IllegalAction(f"{text!r} cannot be drawn: chance is not to move")
        game.play(text)


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


def write_position_scene(
    title: Title[Any, Any], seats: int, options: Mapping[str, Any], s: Any, name: str, note: str, free: bool
) -> str:
    """A scene of a plain position alone, as somebody made it: every field, so that nothing is guessed."""
    rows = [f"title = {_toml(title.name)}", f"name = {_toml(name)}"]
    rows += [f"note = {_toml(note)}"] if note else []
    rows += ["free = true"] if free else []
    rows += [f"seats = {seats}", "[options]", *(f"{k} = {_toml(v)}" for k, v in options.items())]
    rows += ["[position]", *(f"{key} = {value}" for key, value in title.position.json(s).items())]
    return "\n".join([*rows, "[[step]]", f"note = {_toml('What should follow?')}", ""])


def say_position(game: Game[Any, Any]) -> dict[str, Any]:
    """The `position` of a scene that is set up as this game stands: what differs from a new game, by name.

    FormatError where it cannot be said so.
    """
    title, box, s = game.title, game.box, game.position
    base = Game(title, box, seed=0, form="plain", chance="manual").position
    said = _differences(title, s, base, game.labels)
    if title.position.pack(_position(title, box, said)) == game.packed():
        return said
    whole = {f.name: getattr(s, f.name) for f in title.position.fields}  # `settle` must not add anything
    if title.position.pack(_position(title, box, whole)) != game.packed():
        raise FormatError("a scene cannot say this position")
    return whole


def _differences(title: Title[Any, Any], s: Any, base: Any, labels: Labels) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for f in title.position.fields:
        here, there = flatten(getattr(s, f.name)), flatten(getattr(base, f.name))
        for k, (value, before) in enumerate(zip(here, there, strict=True)):
            if value != before:
                name = label(f.holds, value, labels) if f.holds else ""
                known = name in labels.get(f.holds, ())
                said[_path(f, k, labels)] = name if name and known else value
    return said


def _path(f: Field, k: int, labels: Labels) -> str:
    """The path of the k-th number of a field."""
    words: list[str] = []
    for axis in reversed(range(len(f.shape))):
        k, place = divmod(k, f.shape[axis])
        words.insert(0, label(f.axes[axis], place, labels))
    return ".".join([f.name, *words])


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
