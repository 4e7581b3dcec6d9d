"""Writes plan.json and ncu.json of the folder that is carried: what is measured, the most telling first."""
import json
from pathlib import Path

CARRY = Path(__file__).resolve().parents[1] / ".carry"
CHECK = {"roma": 20000, "duellum": 1000, "conquest": 300, "micatio": 20000}
# Games of a whole run, and actions after which games of a sweep are cut off.
LIMIT = {"roma": 0, "duellum": 800, "conquest": 700, "micatio": 0}


def direct(title, code, threads=1 << 17, **more):
    n = {"roma": 1 << 22, "duellum": 1 << 18, "conquest": 1 << 17, "micatio": 1 << 24}[title]
    return dict(dict(title=title, code=code, threads=threads, n=n, limit=LIMIT[title], check=CHECK[title],
                     reps=2 if title in ("roma", "micatio") else 1), **more)


def pooled(title, code, pool, warps, split=0, linger=0, **more):
    """`warps` of a multiprocessor, each with a pool of games."""
    blocks = 132 * warps
    flight = blocks * pool
    n = {"roma": max(1 << 22, 4 * flight), "duellum": 2 * flight, "conquest": flight, "micatio": 1 << 24}[title]
    return dict(dict(title=title, code=code, pool=pool, blocks=blocks, n=n, limit=LIMIT[title],
                     check=CHECK[title], mode=split + 4 * linger, reps=2 if title in ("roma", "micatio") else 1),
                **more)  # fmt: skip


jobs = []
for t, big in (("roma", ".r64"), ("duellum", ""), ("conquest", "")):
    jobs += [
        direct(t, f"base.inl{big}"),
        direct(t, "i32.nu200.r64"),
        pooled(t, "pool.nu200.r64", 64, 16),
        pooled(t, "pool.nu200.r64", 128, 8),
    ]
for t, big in (("roma", ".r64"), ("duellum", ""), ("conquest", "")):
    jobs += [
        direct(t, f"base.nu{big}"),
        direct(t, f"base.nu200{big or '.r64'}"),
        direct(t, "i32.nu.r64"),
        direct(t, "i32nw.nu200.r64"),
        direct(t, "i32.nu200.r128"),
        pooled(t, "pool.nu200.r64", 128, 16),
        pooled(t, "pool.nu200.r64", 64, 32),
        pooled(t, "pool.nu200.r64", 32, 32),
        pooled(t, "pool.nu200.r64", 64, 16, split=1),
        pooled(t, "pool.nu200.r64", 128, 16, split=1),
        pooled(t, "pool.nu200.r64", 64, 16, linger=3),
        pooled(t, "pool.nu200.r64", 64, 16, linger=15),
        pooled(t, "here.nu200.r64", 64, 16),
        pooled(t, "poolnw.nu200.r64", 64, 16),
        *([] if t == "conquest" else [pooled(t, "pool.nu.r64", 64, 16)]),
        pooled(t, "pool.nu200.r128", 64, 16),
        pooled(t, "pool.nu200.r128", 128, 8),
        *([] if t == "conquest" else [pooled(t, "pool.nu200.r64", 128, 32)]),
        pooled(t, "pool.nu200.r64", 64, 8),
    ]
jobs += [direct("micatio", "base.inl.r64"), direct("micatio", "i32.nu200.r64"), pooled("micatio", "pool.nu200.r64", 64, 32)]
# Whole games, with the long ones at the end.
jobs += [direct("duellum", "base.inl", limit=0), pooled("duellum", "pool.nu200.r64", 64, 16, limit=0)]
jobs += [pooled("conquest", "pool.nu200.r64", 64, 16, limit=0), direct("conquest", "i32.nu200.r64", limit=0)]
ncu = []
for t, big, n in (("roma", ".r64", 300000), ("duellum", "", 131072), ("conquest", "", 65536)):
    few = {"roma": 0, "duellum": 60, "conquest": 40}[t]
    for job in (pooled(t, "pool.nu200.r64", 64, 16), direct(t, "i32.nu200.r64"), direct(t, f"base.inl{big}")):
        job.update(n=n, limit=few, reps=1, timeout=60)
        del job["check"]
        ncu.append(job)
if __name__ == "__main__":
    for k, job in enumerate(jobs):
        job["timeout"] = 30 if job["limit"] == 0 and job["title"] in ("duellum", "conquest") else 14
    (CARRY / "plan.json").write_text(json.dumps(jobs))
    order = sorted(range(len(ncu)), key=lambda k: (k % 3, k))
    (CARRY / "ncu.json").write_text(json.dumps([ncu[k] for k in order]))
    needed = sorted({(j["title"], j["code"]) for j in jobs + ncu})
    print(*(":".join([t, *c.replace(".r", ".").split(".")]) for t, c in needed if not (CARRY / f"{t}.{c}.json").exists()))
