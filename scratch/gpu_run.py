"""Measures kernels that were compiled elsewhere, on a GPU, by the driver alone (ctypes); ends by itself.

gpu_run.py CARRY OUT [SECONDS]: the jobs of CARRY/plan.json, one line of JSON a job in OUT/results.jsonl.
gpu_run.py --worker CARRY FIRST END: does jobs and tells them on its output; started by the above.
"""

import ctypes
import hashlib
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

STUB = os.environ.get("GPU_STUB")  # a dry run: the driver is a stand-in that does nothing
TALLY = 7


class Failed(Exception):
    pass


class Driver:
    """What is needed of libcuda."""

    def __init__(self):
        self.lib = None if STUB else ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        device = ctypes.c_int()
        self("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)
        self.kept = []

    def __call__(self, name, *args):
        if STUB:
            return
        code = getattr(self.lib, name)(*args)
        if code:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(code, ctypes.byref(text))
            raise Failed(f"{name}: {code} {text.value}")

    def load(self, path, entry):
        self.module, f = ctypes.c_void_p(), ctypes.c_void_p()
        data = Path(path).read_bytes()
        self("cuModuleLoadData", ctypes.byref(self.module), data)
        self("cuModuleGetFunction", ctypes.byref(f), self.module, entry.encode())
        return f

    def unload(self):
        self("cuModuleUnload", self.module)

    def room(self, size, fill=None):
        at = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(max(size, 256)))
        self.kept.append(at)
        if fill is not None:
            self("cuMemsetD8_v2", at, ctypes.c_ubyte(fill), ctypes.c_size_t(max(size, 256)))
        return at

    def put(self, array):
        at = self.room(array.nbytes)
        self("cuMemcpyHtoD_v2", at, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return at

    def get(self, array, at):
        self("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), at, ctypes.c_size_t(array.nbytes))
        return array

    def free(self):
        for at in self.kept:
            self("cuMemFree_v2", at)
        self.kept = []

    def launch(self, f, blocks, threads, values):
        cells = [ctypes.c_uint64(v & (1 << 64) - 1) for v in values]
        row = (ctypes.c_void_p * len(cells))(*(ctypes.cast(ctypes.byref(c), ctypes.c_void_p) for c in cells))
        self("cuLaunchKernel", f, blocks, 1, 1, threads, 1, 1, 0, None, row, None)
        self("cuCtxSynchronize")

    def attribute(self, f, which):
        found = ctypes.c_int()
        self("cuFuncGetAttribute", ctypes.byref(found), which, f)
        return found.value

    def resident(self, f, threads):
        found = ctypes.c_int()
        self("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(found), f, threads, ctypes.c_size_t(0))
        return found.value


def array(at, itemsize, *shape):
    """An array as Numba's kernels take it: memory information, parent, size, data, shape, strides."""
    size, strides = 1, []
    for n in reversed(shape):
        strides.insert(0, itemsize * size)
        size *= n
    return [0, 0, size, itemsize, at.value or 0, *shape, *strides]


def play(cuda, f, job, facts, known, z, n, limit):
    """One launch: seconds, tally and digest of the results."""
    size = facts["itemsize"]
    F = np.zeros(max(size, 64), np.uint8)
    F[: len(z["first"])] = z["first"]
    begun, total, out = cuda.room(8, 0), cuda.room(8 * TALLY, 0), cuda.room(n * known["seats"] * 4, 255)
    values = [*array(cuda.put(F), size, 1), *array(cuda.put(z["box"]), len(z["box"]), 1), 0, n, 1, limit]
    values += [*array(begun, 8, 1), *array(total, 8, TALLY), *array(out, 4, n, known["seats"])]
    values += array(cuda.put(np.zeros(1)), 8, 1)
    if facts["kernel"] == "play_out":
        blocks, threads = -(-min(n, job["threads"]) // 64), 64
    else:
        pool = job["pool"]
        blocks, threads = min(job["blocks"], -(-n // pool)), 32
        games = blocks * pool
        values += array(cuda.room(games * size), size, games)
        values += array(cuda.room(games * 32), 32 // 4, games, 4) + array(cuda.room(games * 32), 8, games, 4)
        values += [*array(cuda.put(z["groups"]), 1, len(z["groups"])), job.get("mode", 0), pool]
    cuda("cuCtxSynchronize")
    start = time.perf_counter()
    cuda.launch(f, blocks, threads, values)
    spent = time.perf_counter() - start
    x = cuda.get(np.zeros(TALLY, np.int64), total).tolist()
    results = cuda.get(np.zeros((n, known["seats"]), np.int32), out) if n <= 100000 else np.zeros(1)
    sha = hashlib.sha256(results.tobytes()).hexdigest()[:16]
    cuda.free()
    return spent, x, [x[0], x[1], x[4], x[5], x[6], sha]


def do(cuda, carry, job):
    name = f"{job['title']}.{job['code']}"
    facts = json.loads((carry / f"{name}.json").read_text())
    known = json.loads((carry / f"{job['title']}.known.json").read_text())
    z = dict(np.load(carry / f"{job['title']}.npz"))
    f = cuda.load(carry / f"{name}.cubin", facts["entry"])
    found = dict(job, text=facts["text"], regs=cuda.attribute(f, 4), local=cuda.attribute(f, 3))
    found["resident"] = cuda.resident(f, 64 if facts["kernel"] == "play_out" else 32)
    if "check" in job:
        spent, x, got = play(cuda, f, job, facts, known, z, job["check"], known["length"])
        found["same"] = got == known["expected"][str(job["check"])]
        if not found["same"]:
            found["got"] = got
    best = None
    for _ in range(job.get("reps", 1)):
        spent, x, got = play(cuda, f, job, facts, known, z, job["n"], job.get("limit") or known["length"])
        best = spent if best is None else min(best, spent)
    found.update(s=round(best, 4), tally=x, rate=x[0] / max(best, 1e-9), actions=(x[0] + x[1]) / max(best, 1e-9))
    cuda.unload()
    return found


def worker(carry, first, end):
    cuda = Driver()
    jobs = json.loads((carry / os.environ.get("PLAN", "plan.json")).read_text())
    for k in range(first, end):
        print(json.dumps({"at": k}), flush=True)
        if os.environ.get("GPU_HANG") == str(k):
            time.sleep(999)
        try:
            print(json.dumps({"k": k, **do(cuda, carry, jobs[k])}), flush=True)
        except Failed as error:
            print(json.dumps({"k": k, **jobs[k], "failed": str(error)}), flush=True)
            if STUB is None:
                sys.exit(3)  # a context with an error is of no use any more


def parent(carry, out, seconds):
    begun = time.monotonic()
    jobs = json.loads((carry / os.environ.get("PLAN", "plan.json")).read_text())
    out.mkdir(parents=True, exist_ok=True)
    log = (out / "results.jsonl").open("w")
    rows, k = [], 0

    def keep(row):
        row["t"] = round(time.monotonic() - begun, 1)
        rows.append(row)
        log.write(json.dumps(row) + "\n")
        log.flush()
        print(line(row), flush=True)

    while k < len(jobs) and time.monotonic() - begun < seconds:
        command = [sys.executable, __file__, "--worker", str(carry), str(k), str(len(jobs))]
        p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=(out / "errors.log").open("a"), text=False)
        buffer, done = b"", False
        deadline = time.monotonic() + 30  # the context is made first
        while not done:
            left = min(deadline, begun + seconds) - time.monotonic()
            ready = select.select([p.stdout], [], [], max(0, left))[0] if left > 0 else []
            data = os.read(p.stdout.fileno(), 65536) if ready else None
            if not data:  # silent for too long, or ended
                done = True
                if data is None:
                    p.kill()
                    keep({"k": k, **jobs[k], "failed": "timeout" if left > -1 else "over"})
                    k += 1
                elif p.wait() and k < len(jobs) and (not rows or rows[-1]["k"] != k - 1 or p.returncode != 3):
                    keep({"k": k, **jobs[k], "failed": f"exit {p.returncode}"})
                    k += 1
                continue
            buffer += data
            *lines, buffer = buffer.split(b"\n")
            for each in lines:
                row = json.loads(each)
                if "at" in row:
                    k = row["at"]
                    deadline = time.monotonic() + jobs[k].get("timeout", 25)
                else:
                    keep(row)
                    k = row["k"] + 1
            if k >= len(jobs):
                done = True
                p.wait()
    table(rows, out)


def line(r):
    head = f"{r.get('t', 0):6.1f} {r['title']:9}{r['code']:22} pool {r.get('pool', '-'):>4} blocks {r.get('blocks', '-'):>5}"
    head += f" mode {r.get('mode', 0):>3} n {r['n']:>8} lim {r.get('limit') or 0:>5}"
    if "failed" in r:
        return head + " FAILED " + str(r["failed"])
    return head + (f" | {r['rate'] / 1e6:8.1f} M dec/s {r['actions'] / 1e6:8.1f} M act/s {r['s']:7.3f} s same {r.get('same', '-')}"
                   f" regs {r['regs']} local {r['local']} text {r['text'] // 1024}K res {r['resident']}")  # fmt: skip


def table(rows, out):
    good = [r for r in rows if "rate" in r]
    text = "\n".join(line(r) for r in sorted(good, key=lambda r: (r["title"], r.get("limit") or 0, -r["rate"])))
    (out / "table.txt").write_text(text + "\n")
    print("\n-- sorted --\n" + text, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--worker":
        worker(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    else:
        parent(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 200)
