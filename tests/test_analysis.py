"""The analysis of a match: the sum is exact, luck has mean nothing, a killed one goes on, it speaks."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import ludus
from conftest import all_titles
from ludus.analysis import analysis, keeping
from ludus.analysis.analysis import ENDING, WORDS, NotAnalysed, Row, Task, check_over, match_of, put_together
from ludus.analysis.calibration import Calibration, Rung
from ludus.analysis.contest import Contest
from ludus.analysis.depth import Depth
from ludus.analysis.judges import Bound, Judged, make_judge, number, result_of
from ludus.analysis.keeping import analyse_to, make_task
from ludus.analysis.rungs import Rungs, rungs_asked
from ludus.analysis.strength import FEWEST
from ludus.analysis.telling import Teller, say_amount, say_points, tell
from ludus.analysis.verdicts import WHOLE, millionths
from ludus.analysis.walk import CHOICE, THROW, outcomes
from ludus.bots import Chair
from ludus.core.chance import CHANCE, OVER
from ludus.core.game import Game
from ludus.core.title import Title
from ludus.core.words import LANGUAGES
from ludus.match.file import read_match, save_match, write_match
from ludus.match.match import Match
from samples import BARE, LARGE, PLANNED, SMALL
from test_cli import ludus_command

SHORT = Depth("short", (1, 1, 2), (1, 1, 2), 60, 4, (1, 1, 2))


class Oracle:
    """A judge that knows nothing and says something of everything, always the same."""

    by, digest, rough = "net", "oracle", False
    known = Calibration(rungs=(Rung("tiro", 0.0, 30.0), Rung("miles", 400.0, 1.0)))
    asked = 0

    def __init__(self, form: Bound) -> None:
        self.form = form

    def _said(self, s: Any, more: str = "") -> list[float]:
        data = hashlib.sha256(self.form.pack(s) + more.encode()).digest()
        shares = [1 + byte for byte in data[: self.form.seats]]
        return [share / sum(shares) for share in shares]

    def chances(self, positions: Sequence[Any], seed: int, mid_turn: bool = False) -> list[list[float]]:
        Oracle.asked += 1
        return [result_of(self.form, s) if self.form.to_move(s) == OVER else self._said(s) for s in positions]

    def estimates(self, s: Any, seed: int, mid_turn: bool = False) -> list[list[float]]:
        return [self._said(s)]

    def choices(
        self,
        s: Any,
        seat: int,
        played: Sequence[int],
        seed: int,
        now: float = 0.5,
        every: bool = False,
        also: Sequence[Sequence[int]] = (),
    ) -> Judged:
        plans = [tuple(played), *((code,) for code in self.form.legal(s) if code != played[0])]
        chances = [self._said(s, str(plan))[seat] for plan in plans]
        best = max(range(len(plans)), key=lambda i: chances[i])
        others = tuple(next((i for i, p in enumerate(plans) if p[0] == plan[0]), 0) for plan in also)
        found = Contest(chances, [0.0] * len(plans), best, chances[best] - chances[0], 0.01)
        return Judged(plans, found, 0, others)


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (analysis, keeping):
        monkeypatch.setattr(module, "make_judge", lambda title, form, depth: Oracle(form))


def played(name: str, plies: int = 40, seed: int = 1, seats: int | None = None) -> Match:
    """A match of some random actions, then given up unless it is over already."""
    match = Match.simulated(ludus.title(name), seed, seats)
    for k in range(plies):
        if match.over:
            return match
        legal = match.game.legal()
        match.play(
            match.game.to_move, [legal[(seed * 31 + k * 7) % len(legal)].text], expect=len(match.entries)
        )
    for seat in range(match.setting.seats):
        if not match.over and match.status[seat] == "playing":
            match.resign(seat)
    assert match.over
    return match


def analysed(match: Match) -> Row:
    task = Task(match, SHORT, 1, "plain")
    judge: Any = Oracle(task.bound())
    return put_together(task, judge, analysis.weigh_all(task, {}))


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.usefixtures("oracle")
def test_the_result_is_start_and_skill_and_luck_exactly(title: Title[Any, Any], seats: int) -> None:
    if seats not in title.seats:
        assert seats > 2, "every title of ours is played by two"
        return
    found = analysed(played(title.name, seats=seats))
    assert sum(found["start"]) == sum(found["result"]) == WHOLE
    for p, seat in enumerate(found["seats"]):
        total = found["start"][p] + sum(seat["skill"]) + seat["luck"] + seat["agreed"]
        assert total == found["result"][p]
    assert len(found["rows"]) > 5
    for row, following in zip(found["rows"], found["rows"][1:], strict=False):
        assert row["after"] == following["before"]
        assert all(sum(row[key]) == 0 for key in ("brought", "unseen"))


@pytest.mark.usefixtures("oracle")
def test_a_match_to_its_end_needs_no_ending_and_a_resignation_is_paid_by_who_gave_up() -> None:
    whole = analysed(played(BARE, 1000))
    assert whole["ending"] == "played" and whole["rows"][-1]["kind"] == CHOICE
    given_up = played(LARGE, 20)
    row = analysed(given_up)["rows"][-1]
    assert (row["kind"], row["seat"], row["cost"]) == (ENDING, 0, row["before"][0])


@pytest.mark.usefixtures("oracle")
def test_luck_is_nothing_on_average_over_all_that_could_have_come() -> None:
    match = played(LARGE, 60)
    task = Task(match, SHORT, 1, "plain")
    judge: Any = Oracle(task.bound())
    throws = [step for step in task.walk.steps if step.kind == THROW]
    dice = [step for step in throws if step.last - step.first == 3]
    assert dice, "three dice are one throw"
    for step in (throws[0], dice[0]):
        s, form = task.walk.position(step.first), task.walk.form
        levels, leaves = outcomes(form, s, task.walk.most, step.levels)
        assert levels == step.levels and sum(leaf.share for leaf in leaves) == pytest.approx(1)
        rows = judge.chances([leaf.s for leaf in leaves], 1)
        mean = millionths(
            [sum(leaf.share * row[p] for leaf, row in zip(leaves, rows, strict=True)) for p in (0, 1)]
        )
        row = analysis.weigh_step(task, judge, Rungs(task.title, task.bound()), step)
        assert row["before"] == mean
        assert row["landed"] == millionths(judge.chances([task.walk.position(step.last)], 1)[0])
    assert len(outcomes(task.walk.form, task.walk.position(dice[0].first), 60)[1]) == 56, (
        "equal throws are one"
    )


def test_a_wide_deal_is_listed_outcome_by_outcome() -> None:
    game = ludus.title(LARGE).new(seed=1, chance="manual")
    form: Any = game.form
    levels, leaves = outcomes(form, game.s, 60)
    assert levels == 1 and len(leaves) == len(game.odds())


@pytest.mark.usefixtures("oracle")
def test_a_decision_of_a_planned_title_is_all_that_a_seat_does_in_its_turn() -> None:
    match = played(PLANNED, 120)
    task = Task(match, SHORT, 1, "plain")
    walk, inputs = task.walk, task.title.inputs
    assert inputs is not None
    longest = 0
    for step in walk.steps:
        if step.kind != CHOICE:
            continue
        plies = range(step.first, step.last)
        assert {walk.plies[k].seat for k in plies} == {step.seat}
        assert len({inputs.turn(walk.position(k), walk.form.box) for k in plies}) == 1
        chosen = [walk.plies[k].code for k in plies if len(walk.form.legal(walk.position(k))) > 1]
        assert list(step.plan) == chosen
        longest = max(longest, len(chosen))
    assert longest > 1


@pytest.mark.usefixtures("oracle")
def test_what_is_forced_is_no_decision_and_dice_are_counted_with_what_was_to_be_expected() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    numbers = [row["entry"] for row in found["rows"] if row["kind"] == CHOICE]
    by_entry = dict(zip(match.standing, match.game.line, strict=True))
    assert all(by_entry[number].seat >= 0 for number in numbers)
    assert all(len(row["options"]) > 1 for row in found["rows"] if row["kind"] == CHOICE)
    rolls = [one for one in found["dice"] if one["kind"] == "roll"]
    counted = sum(count for one in rolls for _, count, _ in one["outcomes"])
    kinds = [match.game.title.codes.split(p.code)[0] for p in match.game.line if p.seat == CHANCE]
    assert counted == kinds.count("roll") > 0
    assert sum(x for one in rolls for _, _, x in one["outcomes"]) == pytest.approx(counted, abs=0.1)


@pytest.mark.usefixtures("oracle")
def test_an_analysis_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    task = make_task(played(LARGE, 40), "quick", 1, "plain")
    whole = analyse_to(task, tmp_path / "whole.json")

    def killed(done: int, total: int) -> None:
        if done == 10:
            raise KeyboardInterrupt

    out = tmp_path / "again.json"
    with pytest.raises(KeyboardInterrupt):
        analyse_to(task, out, killed)
    part = tmp_path / "again.json.part"
    kept = part.read_text()
    part.write_text(kept + '{"n": 10, "row": {"bef')  # cut off in the middle of a line
    told: list[int] = []
    assert analyse_to(task, out, lambda done, total: told.append(done)) == whole
    assert told[0] == 10
    assert out.read_bytes() == (tmp_path / "whole.json").read_bytes()
    assert not part.exists()


@pytest.mark.usefixtures("oracle")
def test_what_was_left_of_another_match_is_not_gone_on_with(tmp_path: Path) -> None:
    def killed(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    first, other = (make_task(played(SMALL, 12, seed), "quick", 1, "plain") for seed in (1, 2))
    with pytest.raises(KeyboardInterrupt):
        analyse_to(first, tmp_path / "a.json", killed)
    assert analyse_to(other, tmp_path / "a.json") == analyse_to(other, tmp_path / "b.json")


@pytest.mark.usefixtures("oracle")
def test_a_result_is_not_made_twice_and_that_of_another_match_is_not_taken(tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    first, other = (make_task(played(SMALL, 12, seed), "quick", 1, "plain") for seed in (1, 2))
    found = analyse_to(first, out)
    before = Oracle.asked
    assert analyse_to(first, out) == found
    assert Oracle.asked == before
    assert analyse_to(other, out)["match"] != found["match"]
    assert Oracle.asked > before
    out.write_text("{")
    assert analyse_to(first, out) == found, "a damaged one is made anew"


def test_the_same_seed_gives_the_same_numbers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = played(BARE, 12)
    texts = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        task = Task(match, SHORT, seed, "plain")
        analyse_to(task, tmp_path / name)
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1] != texts[2]
    assert json.loads(texts[0])["rough"] is True


def test_the_same_seed_gives_the_same_bytes_with_a_net(tmp_path: Path) -> None:
    match = played(LARGE, 4)
    for name in ("a", "b"):
        found = analyse_to(make_task(match, "quick", 1, "plain"), tmp_path / name)
        assert found["by"] == "net" and any(len(row.get("options", ())) > 1 for row in found["rows"])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_who_lets_a_line_be_closed_that_could_be_stopped_has_blundered() -> None:
    """Trial games alone say so, of a game that has neither chance nor a net."""
    match = Match.simulated(ludus.title(BARE), 1)
    for action in ("place a 1", "place b 1", "place a 2", "place b 2", "place a 3"):
        match.play(match.game.to_move, [action], expect=len(match.entries))
    assert match.over
    task = make_task(match, "quick", 1, "plain")
    judge = make_judge(task.title, task.bound(), task.depth)
    found = put_together(task, judge, analysis.weigh_all(task, {}))
    let, won = found["rows"][3:]
    assert let["class"] == "blunder" and let["seat"] == 1 and 3 in found["decisive"]["choices"]
    assert task.title.codes.text(let["options"][0]["plan"][0], match.game.labels) == "place a 3"
    assert won["cost"] == 0 and won["options"][0]["chance"] == WHOLE


@pytest.mark.parametrize("name", [BARE, LARGE])
def test_what_a_rung_would_have_played_is_what_that_bot_plays(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "make_judge", lambda title, form, depth: Oracle(form))
    match = played(name, 24)
    task = Task(match, SHORT, 1, "plain")
    judge: Any = Oracle(task.bound())
    rungs = Rungs(task.title, task.bound())
    asked, apart = rungs_asked(task.title, "plain"), 0
    assert len(asked) > 1
    for step in [step for step in task.walk.steps if step.kind == CHOICE]:
        row = analysis.weigh_step(task, judge, rungs, step)
        assert list(row["rungs"]) == list(asked)
        for k, (rung, bot) in enumerate(asked.items()):
            game: Any = Game(task.title, task.walk.form.box, chance="manual", form="plain")
            game.s = task.walk.position(step.first)
            seed = number(number(task.seed, step.first), k)
            chosen = bot.choose(Chair(game, step.seat, seed, bot.budget, {})).code
            assert row["options"][row["rungs"][rung]]["plan"][0] == chosen
        apart += len(set(row["rungs"].values())) > 1
    assert apart, "they do not always agree"


@pytest.mark.usefixtures("oracle")
def test_every_choice_keeps_its_chance_and_the_rest_is_told_by_what_it_is() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    task = Task(match, SHORT, 1, "plain")
    judge: Any = Oracle(task.bound())
    steps = {task.walk.plies[step.first].entry: step for step in task.walk.steps}
    teller, many = Teller(found, match, "en"), 0
    for row in found["rows"]:
        if row["kind"] != CHOICE:
            continue
        step = steps[row["entry"]]
        s = task.walk.position(step.first)
        kept = {option["plan"][0]: option["chance"] for option in row["options"]} | dict(row["others"])
        assert sorted(kept) == sorted(task.walk.form.legal(s)), "each legal action, once"
        judged = judge.choices(s, step.seat, step.plan, 1)
        for plan, chance in zip(judged.plans, judged.outcome.chances, strict=True):
            assert kept[plan[0]] == round(chance * WHOLE)
        chances = [chance for _, chance in row["others"]]
        assert chances == sorted(chances, reverse=True)
        many += len(row["others"]) > 0
        told = teller.step(row)["others"]
        assert len(told) == len(row["others"]) and all(told)
    assert many, "some decisions have more choices than are shown"


@pytest.mark.usefixtures("oracle")
def test_three_decisions_and_three_throws_that_moved_most_are_said_in_four_languages() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    rows = found["rows"]
    costs = sorted((row["cost"] for row in rows if row["kind"] != THROW), reverse=True)
    assert sorted((rows[n]["cost"] for n in found["decisive"]["choices"]), reverse=True) == costs[:3]
    moved = sorted((abs(row["brought"][0]) for row in rows if row["kind"] == THROW), reverse=True)
    assert (
        sorted((abs(rows[n]["brought"][0]) for n in found["decisive"]["throws"]), reverse=True) == moved[:3]
    )
    told = {lang: tell(found, match, lang) for lang in LANGUAGES}
    for part in ("choices", "throws"):
        said = {tuple(one["decisive"][part]) for one in told.values()}
        assert len(said) == len(LANGUAGES)
        assert all("Seat" in sentence and "{" not in sentence for sentences in said for sentence in sentences)
    english = told["en"]
    assert len(english["steps"]) == len(rows)
    for row, step in zip(rows, english["steps"], strict=True):
        if row["kind"] == CHOICE:
            assert len(step["plans"]) == len(row["options"]) and all(step["plans"])
    assert english["dice"] and all(
        face.isdigit() for one in english["dice"] for face, _, _ in one["outcomes"]
    )
    assert any("of winning chance on average" in sentence for sentence in english["sums"])
    for p, seat in enumerate(found["seats"]):
        if seat["decisions"] < FEWEST:
            assert "are too few" in english["strengths"][p]
        assert seat["between"][0] <= seat["elo"] <= seat["between"][1]
        gave_up = sum(row["cost"] for row in rows if row["kind"] == ENDING and row["seat"] == p)
        unseen = sum(row["unseen"][p] for row in rows if row["kind"] == CHOICE and row["seat"] == p)
        assert seat["skill"][p] == -seat["cost"] - gave_up + unseen
        assert seat["near"] == ("miles" if seat["elo"] > 200 else "tiro")


@pytest.mark.usefixtures("oracle")
def test_who_played_is_spoken_to_and_with_two_there_is_another_side_in_four_languages() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    nobody = {lang: json.dumps(tell(found, match, lang), ensure_ascii=False) for lang in LANGUAGES}
    for lang in LANGUAGES:
        told = tell(found, match, lang, me=0)
        told["decisive"]["throws"] = []  # what was thrown is told as in the record, by names
        said = json.dumps({**told, "steps": []}, ensure_ascii=False)
        assert "{" not in told["headline"] and match.names[0] not in said, (
            "one is not told of oneself by name"
        )
        assert WORDS.say(lang, "whose.two") in told["sums"][0] and "unexpected" not in said
        many = WORDS.say(lang, "whose.many")
        assert not any(f"{many} {sign}" in said + nobody[lang] for sign in "+−0")
        assert match.names[0] in nobody[lang], "a file tells of everybody"
        assert told["sums"][0] != tell(found, match, lang, me=1)["sums"][0], "one's own come first"
    english = tell(found, match, "en", me=0)
    cost, luck = (found["seats"][0][key] / 10_000 for key in ("cost", "luck"))
    assert english["headline"].startswith(
        f"You lost: your decisions cost you {cost:.0f} percentage points of winning chance, giving up cost"
    )
    assert f"{abs(luck):.0f}" in english["headline"].rpartition("luck")[2]
    assert tell(found, match, "en", me=1)["headline"].startswith("You won: ")
    assert tell(found, match, "en")["headline"].startswith(f"{match.names[1]} won: the decisions of ")
    thrown = [found["rows"][n]["brought"][0] for n in found["decisive"]["throws"]]
    for brought, sentence in zip(thrown, english["decisive"]["throws"], strict=True):
        way = "rose" if brought >= 0 else "fell"
        assert (
            f"Your chance of winning {way} by {say_points('en', abs(brought))} percentage point" in sentence
        )


@pytest.mark.usefixtures("oracle")
def test_of_more_than_two_the_others_are_called_so_and_the_headline_tells_of_one_seat() -> None:
    match = played(SMALL, 30, seats=4)
    found = analysed(match)
    told = tell(found, match, "en", me=2)
    assert "those of the others" in told["sums"][0] and "other side" not in json.dumps(told)
    assert told["headline"].startswith("You ") and match.names[2] not in told["headline"]


@pytest.mark.usefixtures("oracle")
def test_a_level_is_told_only_where_a_person_may_be_of_at_most_two() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    few, level = "to say how strong that was", "You played like 900 on the ladder"
    cases = (
        (FEWEST, [850, 950], (), level),
        (FEWEST - 1, [850, 950], (), few),
        (FEWEST, [472, 1372], (), few),  # of three levels
        (FEWEST, [850, 950], (0,), ""),  # how strong a bot is, is known
    )
    for decisions, between, bots, wanted in cases:
        found["seats"][0] |= {"decisions": decisions, "between": between, "elo": 900, "near": "miles"}
        for lang in LANGUAGES:
            told = tell(found, match, lang, 0, (*bots, 1))["strengths"]
            assert len(told) == bool(wanted)
        assert wanted in " ".join(tell(found, match, "en", 0, (*bots, 1))["strengths"])


def test_the_number_before_a_noun_says_which_noun_in_every_language() -> None:
    one = {lang: WORDS.say(lang, "points.one") for lang in LANGUAGES}
    many = {lang: WORDS.say(lang, "points.many") for lang in LANGUAGES}
    for lang in LANGUAGES:
        mark = "." if lang == "en" else ","
        assert say_amount(lang, "1") == f"1 {one[lang]}" and say_amount(lang, "58") == f"58 {many[lang]}"
        below = one if lang == "fr" else many
        assert say_amount(lang, f"1{mark}25") == f"1{mark}25 {below[lang]}"
        assert say_amount(lang, f"2{mark}0") == f"2{mark}0 {many[lang]}"


@pytest.mark.usefixtures("oracle")
def test_an_option_is_told_as_played_only_as_far_as_it_was_played() -> None:
    match = played(LARGE, 60)
    found = analysed(match)
    row = next(row for row in found["rows"] if row["kind"] == CHOICE)
    first = match.standing.index(row["entry"])
    line = [one.code for one in match.game.line[first:] if one.seat == row["seat"]]
    teller, option = Teller(found, match, "en"), row["options"][row["played"]]
    option["plan"] = line[:2]
    assert teller.told_of(row, row["played"]) == line[:2]
    option["plan"] = [line[0], line[1] + 1]
    assert teller.told_of(row, row["played"]) == line[:1]
    other = next(k for k in range(len(row["options"])) if k != row["played"])
    assert teller.told_of(row, other) == row["options"][other]["plan"]


def test_what_was_compared_with_results_is_not_rough_but_says_who_judged_unless_a_net_did() -> None:
    match = played(BARE, 8)
    for by, rough in (("rollouts", True), ("rollouts", False), ("value", False), ("net", False)):
        found = {"by": by, "rough": rough, "unit": "action", "rows": []}
        for lang in LANGUAGES:
            teller = Teller(found, match, lang)
            assert bool(teller.rough()) == rough
            assert bool(teller.judged()) == (not rough and by != "net")
            assert rough or by == "net" or WORDS.say(lang, f"said.{by}") in teller.judged()


def test_the_command_says_what_decided_and_goes_on_in_another_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_PLAIN", "1")
    path = tmp_path / "a.match"
    path.write_text(save_match(played(BARE, 8)), encoding="utf-8")
    done = ludus_command("analyse", str(path), "--depth", "quick", "--lang", "de")
    assert done.returncode == 0, done.stderr
    assert "Was den Ausschlag gab" in done.stdout and "Grob geschätzt" in done.stdout
    found = json.loads(ludus_command("analyse", str(path), "--depth", "quick", "--json").stdout)
    assert found == json.loads((tmp_path / "a.match.analysis.json").read_text())


def test_the_command_gives_one_sentence_for_what_it_cannot_do(tmp_path: Path) -> None:
    match = Match.simulated(ludus.title(BARE), 1)
    path = tmp_path / "a.match"
    path.write_text(save_match(match), encoding="utf-8")
    damaged = tmp_path / "b.match"
    damaged.write_text(save_match(played(BARE, 8)).replace("hash: ", "hash: 0"), encoding="utf-8")
    wanted = (
        (["analyse", str(path), "--lang", "it"], "non è finita"),
        (["analyse", str(damaged)], "hash differs"),
        (["analyse", str(tmp_path / "c.match")], "No such file"),
        (["analyse", str(damaged), "--lang", "xx"], "no language"),
    )
    for words, sentence in wanted:
        done = ludus_command(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr and len(done.stderr.splitlines()) == 1


def test_all_languages_say_the_same_with_the_same_fields() -> None:
    keys = {lang: set(WORDS.written(lang)) for lang in LANGUAGES}
    assert len({frozenset(found) for found in keys.values()}) == 1
    for key in keys["en"]:
        assert len({tuple(sorted(WORDS.fields(lang, key))) for lang in LANGUAGES}) == 1, key
        assert len({WORDS.say(lang, key) for lang in LANGUAGES}) > 1, key


def test_a_match_that_goes_on_a_part_and_changed_rules_get_a_sentence_each() -> None:
    match = Match.simulated(ludus.title(SMALL), 1)
    with pytest.raises(NotAnalysed, match="not over"):
        check_over(match)
    saved = read_match(save_match(match), ludus.title)
    with pytest.raises(NotAnalysed, match="not over"):
        match_of(saved)
    part = read_match(write_match(match, 0), ludus.title)
    with pytest.raises(NotAnalysed, match="one seat"):
        match_of(part)
    changed = read_match(save_match(played(SMALL, 8)), ludus.title)
    changed.give_up("the dice differ")
    with pytest.raises(NotAnalysed, match="have changed") as told:
        match_of(changed)
    assert len({told.value.said(lang) for lang in LANGUAGES}) == 4


@pytest.mark.usefixtures("oracle")
def test_what_is_shown_of_the_sums_adds_up_in_each_language() -> None:
    number = re.compile(r"[+−]?\d+[.,]\d")
    for seed in range(1, 9):
        match = played(LARGE, 40, seed)
        found = analysed(match)
        for lang in LANGUAGES:
            for said in Teller(found, match, lang).sums():
                values = [
                    round(10 * float(one.replace(",", ".").replace("−", "-"))) for one in number.findall(said)
                ]
                if len(values) == 5:  # start, luck, own, others, result; or own, cost, given up, rest
                    assert sum(values[:4]) == values[4], said
                elif len(values) == 4:
                    assert values[0] == sum(values[1:]), said


def test_next_to_nothing_decides_nothing_and_one_draw_is_told_once() -> None:
    throw = {"kind": THROW, "seat": 0}
    steps = [throw | {"brought": [moved, -moved]} for moved in (900, 30_000, 40_000)]
    steps.append({"kind": CHOICE, "seat": 0, "cost": 50_000, "class": "best"})
    steps.append({"kind": CHOICE, "seat": 0, "cost": 50_000, "class": "mistake"})
    steps.append(throw | {"brought": [20_000, -20_000]})
    assert analysis.decisive(steps) == {"choices": [4], "throws": [2, 5]}
