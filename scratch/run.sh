#!/bin/bash
# On the machine with a GPU, from the repository's root: measures all of .carry, then asks Nsight Compute.
OUT=${OUT:-/tmp/out}
HERE=$(dirname "$0")
CARRY=$HERE; [ -f "$HERE/plan.json" ] || CARRY=$HERE/../.carry
export PYTHONUNBUFFERED=1
begun=$SECONDS
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem --format=csv | tee $OUT/gpu.txt
timeout -k 5 ${1:-190} python3 "$HERE/gpu_run.py" "$CARRY" $OUT ${2:-180} 2>&1 | tee $OUT/run.log
echo "measured after $((SECONDS - begun)) s"
tail -3 $OUT/errors.log
for k in 0 1 2 3 4 5 6 7 8; do
  left=$((${3:-255} - (SECONDS - begun)))
  [ $left -lt 12 ] && break
  echo "-- ncu $k, $left s left" | tee -a $OUT/ncu.txt
  PLAN=ncu.json timeout -k 3 $((left < 40 ? left - 3 : 40)) ncu --clock-control none -c 1 --section WarpStateStats \
    --section SpeedOfLight --section MemoryWorkloadAnalysis --section Occupancy --section SchedulerStats \
    --section InstructionStats --metrics smsp__thread_inst_executed_per_inst_executed.ratio,\
smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio,smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio,\
smsp__average_warps_issue_stalled_branch_resolve_per_issue_active.ratio,smsp__average_warps_issue_stalled_wait_per_issue_active.ratio,\
smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio,smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio,\
smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio,smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio \
    python3 "$HERE/gpu_run.py" --worker "$CARRY" $k $((k + 1)) >> $OUT/ncu.txt 2>&1
  grep -E "thread_inst_executed_per_inst|no_instruction_per|long_scoreboard_per|No Eligible|L1/TEX Hit|L2 Hit|Issue Slots Busy|Achieved Occ|ERROR|==E" $OUT/ncu.txt | tail -9
done
echo "done after $((SECONDS - begun)) s"
