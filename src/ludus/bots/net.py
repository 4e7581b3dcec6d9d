"""A value net: sparse inputs, one hidden layer, one chance of winning; and a policy over codes beside it.

The loops are written in the style of the rules, so that they run plain and compiled.  Inputs are given as
the first n of `idx` (which) and `val` (how much); `h` is where hidden units are written to.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import BadZipFile

from ludus.core.errors import FormatError

if TYPE_CHECKING:
    from ludus.core.forms import Form
    from ludus.core.title import Title

FORMAT = 1


class Weights(NamedTuple):
    """A net as the loops take it: arrays in compiled form, lists in plain form."""

    W1: Any  # inputs x hidden
    b1: Any
    w2: Any  # hidden, then the bias, then the weight of the first input, which goes straight to the output
    V1: Any  # inputs x hidden units of the policy, a layer of its own
    c1: Any
    V2: Any  # codes x (hidden units of the policy and a bias)


# -- loops ----------------------------------------------------------------------------------------------


def lay(idx: Any, val: Any, n: int, W: Any, b: Any, h: Any) -> None:
    """The hidden units of n inputs, before they are cut off at zero."""
    H = len(b)
    for j in range(H):
        h[j] = b[j]
    k = 0
    while k + 4 <= n:  # four at a time: reading and writing h is what takes the time
        r0, r1, r2, r3 = W[idx[k]], W[idx[k + 1]], W[idx[k + 2]], W[idx[k + 3]]
        v0, v1, v2, v3 = val[k], val[k + 1], val[k + 2], val[k + 3]
        for j in range(H):
            h[j] += (v0 * r0[j] + v1 * r1[j]) + (v2 * r2[j] + v3 * r3[j])
        k += 4
    while k < n:
        row = W[idx[k]]
        v = val[k]
        for j in range(H):
            h[j] += v * row[j]
        k += 1


def chance_of(idx: Any, val: Any, n: int, net: Any, h: Any) -> float:
    """The chance of winning that the net gives to n inputs."""
    lay(idx, val, n, net.W1, net.b1, h)
    w = net.w2
    H = len(net.b1)
    a = b = c = d = 0.0  # four sums: one would have to wait for itself
    for j in range(0, H, 4):
        a += w[j] * max(h[j], 0.0)
        b += w[j + 1] * max(h[j + 1], 0.0)
        c += w[j + 2] * max(h[j + 2], 0.0)
        d += w[j + 3] * max(h[j + 3], 0.0)
    o = w[H] + w[H + 1] * val[0] + (a + b) + (c + d)
    return 1.0 / (1.0 + math.exp(-o))


def prefer(idx: Any, val: Any, n: int, net: Any, h: Any, codes: Any, m: int, likes: Any) -> int:
    """likes[i]: how much the policy likes codes[i]; the place of the best of m."""
    lay(idx, val, n, net.V1, net.c1, h)
    H = len(net.c1)
    for j in range(H):
        if h[j] < 0:
            h[j] = 0.0
    best = 0
    for i in range(m):
        row = net.V2[codes[i]]
        o = 0.0 + row[H]
        for j in range(H):
            o += row[j] * h[j]
        likes[i] = o
        if o > likes[best]:
            best = i
    return best


def learn_chance(idx: Any, val: Any, n: int, target: float, rate: float, net: Any, h: Any) -> float:
    """One step of cross-entropy towards a target; what the net said before."""
    said = chance_of(idx, val, n, net, h)
    W, b, w = net.W1, net.b1, net.w2
    H = len(b)
    d = rate * (target - said)
    w[H] += d
    if w[H + 1] != 0:
        w[H + 1] += 0.1 * d * val[0]
    for j in range(H):
        if h[j] > 0:
            g = d * w[j]
            w[j] += d * h[j]
            h[j] = g
            b[j] += g
        else:
            h[j] = 0.0
    for k in range(n):
        row = W[idx[k]]
        x = val[k]
        for j in range(H):
            row[j] += x * h[j]
    return said


def learn_policy(
    idx: Any, val: Any, n: int, codes: Any, m: int, target: Any, rate: float, net: Any, h: Any, g: Any,
    likes: Any,
) -> None:  # fmt: skip
    """One step of cross-entropy of the policy over codes[:m] towards the chances in target[:m]."""
    best = prefer(idx, val, n, net, h, codes, m, likes)
    top = likes[best]
    total = 0.0
    for i in range(m):
        likes[i] = math.exp(likes[i] - top)
        total += likes[i]
    H = len(net.c1)
    for j in range(H):
        g[j] = 0.0
    for i in range(m):
        d = rate * (target[i] - likes[i] / total)
        row = net.V2[codes[i]]
        row[H] += d
        for j in range(H):
            g[j] += d * row[j]
            row[j] += d * h[j]
    for j in range(H):
        if h[j] <= 0:
            g[j] = 0.0
        net.c1[j] += g[j]
    for k in range(n):
        row = net.V1[idx[k]]
        x = val[k]
        for j in range(H):
            row[j] += x * g[j]


# -- nets as files ---------------------------------------------------------------------------------------


@dataclass
class Net:
    """Weights, and where they come from (`facts`: command, seed, commit, rules version, inputs)."""

    parts: dict[str, Any]
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def inputs(self) -> int:
        return int(self.parts["W1"].shape[0])

    @property
    def codes(self) -> int:
        """How many action codes the policy knows."""
        return int(self.parts["V2"].shape[0])

    @property
    def hidden(self) -> int:
        return int(self.parts["b1"].shape[0])

    @property
    def widest(self) -> int:
        """How many hidden units the wider of both layers has: so long must `tmp` be."""
        return max(self.hidden, int(self.parts["c1"].shape[0]))

    @property
    def arrays(self) -> Weights:
        """The weights themselves: loops of either form that are given them can teach the net."""
        return Weights(*(self.parts[name] for name in Weights._fields))

    def weights(self, form: Form[Any]) -> Weights:
        """The weights as the loops of a form read them fastest."""
        found = self.arrays
        return found if form.name == "compiled" else Weights(*(part.tolist() for part in found))

    def copy(self) -> Net:
        """The same weights, to be changed."""
        return Net({name: part.copy() for name, part in self.parts.items()}, dict(self.facts))

    def save(self, path: Path) -> None:
        """Half precision: a net is judged by as many digits as it was learnt with."""
        import numpy as np

        parts = {name: part.astype(np.float16) for name, part in self.parts.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        facts = np.frombuffer(json.dumps({"net": FORMAT, **self.facts}).encode(), np.uint8)
        partial = path.with_suffix(".part.npz")
        np.savez_compressed(partial, facts=facts, **parts)
        partial.replace(path)


def load_net(path: Path) -> Net:
    """A net from its file; FormatError says what is wrong with it."""
    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as kept:
            facts = json.loads(kept["facts"].tobytes())
            parts = {name: kept[name].astype(np.float32) for name in Weights._fields}
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise FormatError(f"this is no net ({error!r:.60})", source=str(path)) from None
    if facts.get("net") != FORMAT:
        raise FormatError("this net was made by another version of Ludus; train it anew", source=str(path))
    return Net(parts, facts)


def new_net(title: Title[Any, Any], hidden: int, policy: int, seed: int, from_value: bool) -> Net:
    """A net that knows nothing yet, or, where the first input is the hand-made value, as much as that."""
    import numpy as np

    assert title.inputs is not None
    if hidden % 4 or policy % 4:
        raise FormatError(f"hidden units come in fours, so {hidden} and {policy} will not do")
    r = np.random.default_rng(seed)
    size, codes = title.inputs.size, title.codes.size

    spread = 0.05 if from_value else 0.1  # what is known already should not drown

    def some(*shape: int) -> Any:
        return (r.standard_normal(shape) * spread).astype(np.float32)

    w2 = some(hidden + 2)
    w2[-2:] = 0.0, 1.0 if from_value else 0.0
    V2 = some(codes, policy + 1) * np.float32(0.3)
    V2[:, -1] = 0.0
    zeros = np.zeros
    return Net(
        {
            "W1": some(size, hidden), "b1": zeros(hidden, np.float32), "w2": w2,
            "V1": some(size, policy), "c1": zeros(policy, np.float32), "V2": V2,
        }
    )  # fmt: skip


@cache
def _untaught(inputs: int, codes: int) -> Net:
    import numpy as np

    shapes = {"W1": (inputs, 4), "b1": 4, "w2": 6, "V1": (inputs, 4), "c1": 4, "V2": (codes, 5)}
    net = Net({name: np.zeros(shape, np.float32) for name, shape in shapes.items()})
    net.parts["w2"][-1] = 1.0
    return net


def untaught_net(title: Title[Any, Any]) -> Net:
    """What judges where nothing was learnt: the first input, the hand-made value, as a chance of winning."""
    assert title.inputs is not None
    return _untaught(title.inputs.size, title.codes.size)
