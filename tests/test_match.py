"""A match: commands, undo, votes, resigning, leaving, and the record that rebuilds it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from conftest import all_titles, count
from ludus.core.errors import IllegalAction, LayoutError
from ludus.core.title import Title
from ludus.match.entries import read_entry
from ludus.match.match import Match, NotAllowed, Stale


def begin(sample: Title[Any, Any], seats: int = 2) -> Match:
    return Match.simulated(sample, seed=3, seats=seats, names=["Anna", "Bruno"])


def test_a_command_is_a_list_all_or_none(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    with pytest.raises(IllegalAction):
        match.play(0, ["stake 1", "show 9"])
    assert match.entries == []
    match.play(0, ["stake 1", "show 1"])
    assert [e.line() for e in match.entries] == ["1 0 stake 1", "2 0 show 1"]


def test_a_stale_command_changes_nothing(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    match.play(0, ["stake 1"], expect=0)
    with pytest.raises(Stale, match="has 1 entries by now, not 0"):
        match.play(0, ["show 1"], expect=0)
    assert len(match.entries) == 1


def test_what_the_compiled_width_could_not_hold_changes_nothing(
    sample: Title[Any, Any],
) -> None:
    match = begin(sample)
    match.game.s.coins[0] = 40_000
    with pytest.raises(LayoutError, match="coins holds 40000"):
        match.play(0, ["stake 1"])
    assert (match.entries, match.game.line, match.standing) == ([], [], [])


def test_only_the_seat_to_move_plays(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    with pytest.raises(NotAllowed, match="not the turn of seat 1"):
        match.play(1, ["stake 1"])
    with pytest.raises(NotAllowed, match="not the turn of seat 0"):
        match.play(0, ["stake 1", "show 1", "guess 2", "show 1"])
    assert match.entries == []


def test_undo_alone_ends_at_the_other_seats_action_and_at_a_reveal(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    match.play(0, ["stake 1", "show 1", "guess 2"])
    match.undo(0, to=1)
    assert match.game.to_move == 0
    match.play(0, ["show 2", "guess 4"])
    match.play(1, ["show 3"])
    with pytest.raises(NotAllowed, match="only if the others agree"):
        match.undo(0, to=4)
    with pytest.raises(NotAllowed):
        match.undo(1, to=4)
    match.play(1, ["guess 5"])  # the last call opens all hands
    with pytest.raises(NotAllowed, match="revealed"):
        match.undo(1, to=7)


def test_undo_by_consent_gives_the_same_dice(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    match.play(0, ["stake 1", "show 1", "guess 2"])
    match.play(1, ["show 1", "guess 2"])
    rolls = [e.text for e in match.entries if e.text.startswith("roll")]
    assert len(rolls) == 2
    match.propose(1, "undo", to=4)
    answer(match, 0, True)
    assert match.entries[-1].text == "undo 1 4"
    match.play(1, ["guess 2"])
    assert [e.text for e in match.entries if e.text.startswith("roll")] == rolls * 2


def answer(match: Match, seat: int, yes: bool) -> None:
    """Answer the proposal that stands."""
    assert match.proposal is not None
    match.vote(seat, yes, match.proposal.entry)


def test_an_empty_seat_is_not_overruled(sample: Title[Any, Any]) -> None:
    """What it has played stays, and so do dice and reveals; what nobody has learnt from may be taken back."""
    match = begin(sample, seats=3)
    match.play(0, ["stake 1", "show 1", "guess 3"])
    match.play(1, ["show 1"])
    match.leave(1)
    for kind, to in (("undo", 0), ("undo", 3), ("draw", 0)):
        with pytest.raises(NotAllowed, match="nobody sits at seat 1"):
            match.propose(0, kind, to)
    match.claim(1, "Carla")
    match.propose(0, "undo", to=1)
    answer(match, 2, True)
    match.leave(1)
    assert match.entries[-1].text == "leave 1", "two of three have agreed, and the third is gone"
    match.claim(1, "Dora")
    answer(match, 1, True)
    assert match.entries[-1].text == "undo 0 1"
    match.leave(2)
    match.play(0, ["show 1"])
    match.propose(0, "undo", to=1)
    answer(match, 1, True)
    assert match.entries[-1].text == "undo 0 1", "seat 2 has no part in it"


def test_records_of_votes_that_name_no_proposal_are_read_by_the_rule_they_had(
    sample: Title[Any, Any],
) -> None:
    record = ["0 stake 1", "0 show 1", "0 guess 3", "1 show 1", "house leave 1"]
    record += ["house propose_undo 0 0", "house vote 2 yes", "house undo 0 0"]
    match = begin(sample, seats=3)
    for number, line in enumerate(record, 1):
        match.read_entry(read_entry(f"{number} {line}", number))
    assert match.game.line == []
    again = begin(sample, seats=3)
    for number, line in enumerate(record[:6], 1):
        again.read_entry(read_entry(f"{number} {line}", number))
    again.read_entry(read_entry("7 house vote 2 yes 6", 7))
    with pytest.raises(NotAllowed, match="could not take this back"):
        again.read_entry(read_entry("8 house undo 0 0", 8))


def test_a_refused_proposal_changes_nothing(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=3)
    match.play(0, ["stake 1"])
    before = match.game.hash()
    match.propose(0, "draw")
    answer(match, 1, True)
    with pytest.raises(NotAllowed, match="nothing to vote on"):
        answer(match, 1, True)
    answer(match, 2, False)
    assert not match.over
    assert match.game.hash() == before
    with pytest.raises(Stale, match="does not stand any more"):
        match.vote(1, True, 2)


def test_a_draw_needs_every_seat(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=3)
    match.propose(2, "draw")
    answer(match, 0, True)
    assert not match.over
    answer(match, 1, True)
    assert (match.result, match.ending) == ((1, 1, 1), "agreed")
    with pytest.raises(NotAllowed, match="over"):
        match.play(0, ["stake 1"])


def test_resigning_loses_and_the_last_seat_wins(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=3)
    match.resign(0)
    assert not match.over
    match.resign(2)
    assert (match.result, match.ending) == ((0, 2, 0), "resigned")


def test_a_free_seat_can_be_claimed_or_taken_over(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=3)
    with pytest.raises(NotAllowed, match="seat 1 is not free"):
        match.claim(1, "Carla")
    match.leave(1)
    match.claim(1, "Carla\n  the   Great")
    match.time_out(2)
    match.take_over(2, "miles")
    assert match.names == ["Anna", "Carla the Great", "miles"]
    assert match.status == ["playing"] * 3


def test_who_runs_out_of_time_and_forfeits_has_lost(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=2)
    with pytest.raises(NotAllowed, match="has not run out of time"):
        match.forfeit(0)
    match.time_out(0)
    assert not match.over, "as in records of before: the seat waits for a bot"
    match.forfeit(0)
    assert (match.result, match.ending) == ((0, 2), "timed_out")
    again = Match(match.setting, match.game.source, seed=match.seed, replaying=True)
    for entry in match.entries:
        again.read_entry(entry)
    assert (again.result, again.ending, again.status) == (match.result, match.ending, match.status)


def test_of_several_seats_one_that_forfeits_is_played_on_by_a_bot(sample: Title[Any, Any]) -> None:
    match = begin(sample, seats=3)
    match.time_out(1)
    match.forfeit(1)
    assert not match.over
    with pytest.raises(NotAllowed, match="not free"):
        match.claim(1, "Carla")
    match.take_over(1, "tiro")
    assert match.status == ["playing", "forfeited", "playing"]
    match.resign(0)
    assert (match.result, match.ending) == ((0, 0, 2), "resigned")


def test_who_resigned_has_lost_even_if_its_bot_comes_first(sample: Title[Any, Any]) -> None:
    match = Match.simulated(sample, seed=1, seats=3, rounds=1)
    match.play(0, ["stake 5", "show 1", "guess 3"])
    match.play(1, ["show 1", "guess 4"])
    match.resign(0)
    match.take_over(0, "tiro")
    match.play(2, ["show 1", "guess 5"])
    assert match.game.outcome is not None
    assert match.game.outcome.returns == (2, 0, 0)
    assert match.result == (0, 1, 1)


@pytest.mark.parametrize("title", all_titles(), ids=lambda t: t.name)
def test_a_record_rebuilds_the_match(title: Title[Any, Any]) -> None:
    """Random play with undo, proposals and votes; the entries alone give the same position."""
    for seed in range(count(30)):
        match = random_match(title, seed, 120)
        again = Match(match.setting, match.game.source, seed=match.seed, replaying=True)
        for entry in match.entries:
            again.read_entry(entry)
        assert again.game.hash() == match.game.hash()
        assert again.entries == match.entries
        assert (again.status, again.names, again.result) == (match.status, match.names, match.result)


def random_match(title: Title[Any, Any], seed: int, actions: int) -> Match:
    rng = random.Random(seed)
    match = Match.simulated(title, seed=seed, seats=rng.choice(list(title.seats)))
    for _ in range(actions):
        if match.over:
            break
        seat = match.game.to_move
        match.play(seat, [rng.choice(match.game.legal()).text])
        if match.over:
            break
        if match.game.undo_limit(seat) < len(match.game.line) and rng.random() < 0.2:
            match.undo(seat, match.standing[match.game.undo_limit(seat)] - 1)
        elif rng.random() < 0.05:
            match.propose(seat, "undo", to=rng.randrange(match.standing[-1]))
            for other in range(match.setting.seats):
                if match.proposal is not None and other not in match.votes:
                    answer(match, other, rng.random() < 0.7)
    return match


def test_faces_of_entries_that_were_taken_back_stay_hidden(sample: Title[Any, Any]) -> None:
    match = begin(sample)
    match.play(0, ["stake 1", "show 3"])
    match.undo(0, to=1)
    faces = [face.text if face else entry.text for entry, face in match.faces(1)]
    assert faces == ["stake 1", "show ?", "undo 0 1"]
