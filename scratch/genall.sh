#!/bin/bash
# IR of all variants.
export PYTHONPATH=/work/wt/cuda/src:/work/wt/cuda/scratch
P=/work/main/.venv/bin/python
for n in "$@"; do
g() { [ -f /tmp/gpu/ir/$n.$3.pkl ] || nice $P gen.py $n $1 "$2" /tmp/gpu/ir/$n.$3.pkl 2>&1 | tail -1; }
g play_out one,i32 i32
g pool_out one,i32,p128 pool
g play_out "" base
g play_out one one
g play_out one,i32,nowrap i32nw
g pool_out one,p128 pool64
g pool_out one,i32,p256 pool256
g pool_here one,i32,p128 here
done
