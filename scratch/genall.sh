#!/bin/bash
# IR of all variants.
export PYTHONPATH=/work/wt/cuda/src:/work/wt/cuda/scratch
P=/work/main/.venv/bin/python
for n in "$@"; do
g() { [ -f /tmp/gpu/ir/$n.$3.pkl ] || $P gen.py $n $1 "$2" /tmp/gpu/ir/$n.$3.pkl 2>&1 | tail -1; }
g pool_out one,i32 pool
g play_out one,i32 i32
g play_out "" base
g pool_out one,i32,nowrap poolnw
g play_out one,i32,nowrap i32nw
g pool_here one,i32 here
done
