"""What a runner needs of a title, and what comes of its games on the processor.  known.py TITLE GAMES..."""
import hashlib, json, os, sys
import numpy as np
import ludus

name, *ns = sys.argv[1:]
title = ludus.title(name)
options = dict(title.bench)
seats = options.pop("seats", None)
batch = title.batch(1, seed=1, seats=seats, form="compiled", **options)
first = np.frombuffer(title.position.pack(title.batch(1, seed=1, seats=seats, form="plain", **options)._first()), np.uint8)
box = np.frombuffer(title.box.pack(batch.box), np.uint8)
kinds = list(title.codes.kinds)
groups = np.array([kinds.index(title.codes.kind(c)) % 31 for c in range(title.codes.size)], np.int8)
expected = {}
for n in map(int, ns):
    p = title.batch(n, seed=1, seats=seats, form="compiled", **options).playouts()
    r = np.ascontiguousarray(np.asarray(p.returns), np.int32)
    expected[str(n)] = [
        p.decisions, p.chances, p.most_legal, p.digest, p.unfinished, hashlib.sha256(r.tobytes()).hexdigest()[:16]]
    print(name, n, expected[str(n)], flush=True)
os.makedirs("/tmp/gpu/data", exist_ok=True)
np.savez(f"/tmp/gpu/data/{name}.npz", first=first, box=box, groups=groups)
json.dump(dict(seats=title.seats_of(batch.box), length=title.length, bytes=title.position.bytes, size=title.codes.size, expected=expected), open(f"/tmp/gpu/data/{name}.json", "w"))
