"""A small net learns a title by policy gradient, in NumPy alone, and plays games that it has never seen.

pip install "ludus-antiquus[pettingzoo]"
python examples/learn.py ludus/micatio-v1 200        # so many steps uphill, each of a thousand decisions
"""

import sys

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from ludus.adapters.gymnasium import register

NAME = sys.argv[1] if len(sys.argv) > 1 else "ludus/micatio-v1"
UPDATES = int(sys.argv[2]) if len(sys.argv) > 2 else 200
BOT, GAMES, STEPS, HIDDEN, RATE, MEASURED = "tiro", 32, 32, 64, 3e-3, 2000

register()  # tells Gymnasium of the titles
same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
many = gymnasium.make_vec(NAME, GAMES, "sync", vector_kwargs=same_step, seat=None, bots=BOT)
size, codes = many.single_observation_space.shape[0], many.single_action_space.n
rng = np.random.default_rng(1)
net = [rng.normal(0, size**-0.5, (size, HIDDEN)), np.zeros((HIDDEN, codes)), np.zeros((HIDDEN, 1))]
mean, square = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]


def think(seen, masks):
    """What is in the middle of the net, how likely each action is, and what the game is worth."""
    middle = np.tanh(seen @ net[0])
    logits = np.where(masks > 0, middle @ net[1], -1e9)
    likely = np.exp(logits - logits.max(-1, keepdims=True))
    return middle, likely / likely.sum(-1, keepdims=True), middle @ net[2]


def draw(likely):
    return (likely.cumsum(-1) > rng.random((*likely.shape[:-1], 1))).argmax(-1)


def learn(update, seen, masks, played, worth, known):
    """One step uphill (Adam): towards actions that brought more than was expected."""
    middle, likely, expected = think(seen, masks)
    more = (worth - expected[:, 0]) * known
    up = -likely * more[:, None]
    up[np.arange(len(played)), played] += more
    back = (up @ net[1].T + more[:, None] @ net[2].T) * (1 - middle**2)
    for k, slope in enumerate((seen.T @ back, middle.T @ up, middle.T @ more[:, None])):
        slope /= known.sum()
        mean[k] += 0.1 * (slope - mean[k])
        square[k] += 0.01 * (slope**2 - square[k])
        fair = (1 - 0.9**update, 1 - 0.99**update)
        net[k] += RATE * (mean[k] / fair[0]) / (np.sqrt(square[k] / fair[1]) + 1e-8)


def measured(choose):
    """The mean reward of many new games, from -1 to 1, and twice its standard error."""
    env, rewards = gymnasium.make(NAME, seat=None, bots=BOT), []
    for game in range(MEASURED):
        (seen, info), over, cut = env.reset(seed=10_000 + game), False, False
        while not over and not cut:
            seen, reward, over, cut, info = env.step(choose(seen, info["action_mask"]))
        rewards.append(reward)
    return f"{np.mean(rewards):+.3f} ± {2 * np.std(rewards) / MEASURED**0.5:.3f}"


print(f"at random against {BOT}:", measured(lambda seen, mask: draw(mask / mask.sum())), flush=True)
seen, info = many.reset(seed=1)
for update in range(1, UPDATES + 1):
    rows = []
    for _ in range(STEPS):
        before = (seen, info["action_mask"], draw(think(seen, info["action_mask"])[1]))
        seen, reward, over, _, info = many.step(before[-1])
        rows.append((*before, reward, over))
    worth, known, found = np.zeros(GAMES), np.zeros(GAMES), []
    for *_, reward, over in reversed(rows):  # what a game was worth, where its end is known
        worth, known = np.where(over, reward, worth), np.where(over, 1.0, known)
        found.append((worth, known))
    parts = [np.concatenate([row[k] for row in rows]) for k in range(3)]
    learn(update, *parts, *(np.concatenate(column) for column in zip(*found[::-1], strict=True)))
    if update % 50 == 0:
        print(
            f"after {update} steps uphill:",
            measured(lambda seen, mask: draw(think(seen, mask)[1])),
            flush=True,
        )
