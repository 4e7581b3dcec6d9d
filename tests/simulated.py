"""Games by the kernels of the cuda form in Numba's simulator, which plays a GPU in Python; told as JSON.

To be run with NUMBA_ENABLE_CUDASIM=1.  The simulator has no records with any name of a field and no integers
of C, so positions are those of the plain form here; with records, kernels are compiled to PTX
(`test_cuda.py`).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import ludus
from ludus.core import contract, cuda, cuda_batch, cuda_vector
from ludus.core.cuda_vector import here
from ludus.core.title import Title


def dress(title: Title[Any, Any]) -> tuple[dict[str, Any], dict[Any, Any]]:
    def assign(S: Any, j: int, T: Any, k: int) -> None:
        S[j] = title.position.copy(T[k])

    constants = {"POSITION": object, "SIZE": title.codes.size, "int32": object, "int64": object}
    return constants, {contract.assign: assign}


def records(layout: Any, one: Any) -> Any:
    found = np.empty(1, object)
    found[0] = one
    return found


class Simulated(cuda_vector.CudaVector[Any, Any]):
    """Positions are objects, whose bytes are laid down after every step."""

    def _positions(self) -> Any:
        return self._cuda.to_device(np.array([None] * self.n, object))

    def _move(self) -> None:
        super()._move()
        packed = b"".join(self.title.position.pack(s) for s in self._s.copy_to_host())
        self._raw.copy_to_device(np.frombuffer(packed, np.uint8))


def played_out(title: Title[Any, Any], n: int, **options: Any) -> dict[str, Any]:
    batch = title.batch(n, seed=3, form="cuda", **options)
    found = vars(batch.playouts(threads=cuda.BLOCK))
    return {**found, "returns": here(found["returns"]).tolist()}


def stepped(title: Title[Any, Any], n: int, steps: int, **options: Any) -> list[dict[str, Any]]:
    """In every step the last legal action of the first games, the first one of the others."""
    vector = title.vector(n, seed=5, form="cuda", **options)
    now, rows = vector.start(), []
    for k in range(steps):
        shown = {name: here(getattr(now, name)) for name in now._fields}
        rows.append({name: array.tolist() for name, array in shown.items()})
        rows[-1]["tensor"] = here(vector.tensor()).tolist()
        codes = chosen(shown["mask"], k).astype(np.int32)
        now = vector.step(codes if k % 2 else cuda.driver().to_device(codes))
    return rows


def chosen(mask: Any, k: int) -> Any:
    last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
    return np.where((np.arange(len(mask)) + k) % 3 == 0, last, mask.argmax(axis=1))


def refused(title: Title[Any, Any]) -> str:
    vector = title.vector(3, form="cuda")
    codes = here(vector.start().mask).argmax(axis=1)
    codes[1] = title.codes.size - 1
    try:
        vector.step(codes)
    except ludus.IllegalAction as error:
        return str(error)
    return ""


if __name__ == "__main__":
    cuda.dress, cuda.records = dress, records
    cuda_vector.CudaVector = Simulated  # type: ignore[misc]
    found = ludus.title(sys.argv[1])
    said = {
        "playouts": played_out(found, 5, rounds=2),
        "more": played_out(found, 70, rounds=1, seats=3),
        "steps": stepped(found, 4, 12, rounds=1),
        "refused": refused(found),
    }
    assert cuda_batch.PORTION > 70
    print(json.dumps(said))
