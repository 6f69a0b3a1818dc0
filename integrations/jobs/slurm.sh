#!/bin/bash
# Cleans one share of the inputs per array task.
#
#   job=$(sbatch --parsable --array=0-63 integrations/jobs/slurm.sh @warc.list /scratch/corpus)
#   sbatch --dependency=afterany:$job --wrap "warcsieve status /scratch/corpus --inputs @warc.list $OPTIONS --seal"
#
# Usage: slurm.sh INPUTS OUT [OPTIONS OF warcsieve clean]
# Variables:
#   OPTIONS    options of both `clean` and `status` (--base, --root, --select, --partial), separated by blanks
#   SHARES     the number of all shares, if the array is only a part of them: SHARES=64 sbatch --array=3,17,40
#   OFFSET     with SHARES: the first index of the whole array (default 0)
#   WARCSIEVE  the program (default: warcsieve in PATH)
#   RETRIES    default 5
# A task that fails with 75, is killed or runs out of time is queued again, at most RETRIES times. The retries are
# counted in a file in the folder that the task was submitted from. Slurm queues preempted tasks again, but not
# cancelled ones.
#SBATCH --job-name=warcsieve
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem-per-cpu=512M
#SBATCH --time=12:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# The signal goes to this script, one minute before the time is over.
#SBATCH --signal=B:USR1@60
set -u
if [ $# -lt 2 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
  echo "usage: sbatch --array=0-63 slurm.sh INPUTS OUT [OPTIONS]" >&2
  exit 2
fi
inputs=$1 out=$2
shift 2
step=${SLURM_ARRAY_TASK_STEP:-1}
if [ -n "${SHARES:-}" ]; then
  share=$((SLURM_ARRAY_TASK_ID - ${OFFSET:-0} + 1))/$SHARES
elif [ $(((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN) / step + 1)) = "$SLURM_ARRAY_TASK_COUNT" ]; then
  share=$(((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN) / step + 1))/$SLURM_ARRAY_TASK_COUNT
else
  echo "an array with gaps: set SHARES to the number of shares of the whole" >&2
  exit 2
fi

# The words of OPTIONS are arguments and not patterns.
set -f
# shellcheck disable=SC2086
"${WARCSIEVE:-warcsieve}" clean "$inputs" --out "$out" --shard "$share" --no-seal \
  --threads "${SLURM_CPUS_PER_TASK:-1}" ${OPTIONS:-} "$@" &
child=$!
ended_by=
trap 'ended_by=time; kill "$child" 2>/dev/null' USR1
trap 'ended_by=cancel; kill "$child" 2>/dev/null' TERM
wait "$child"
code=$?
# A signal ends the first wait. The second wait is for the child.
[ -z "$ended_by" ] || { wait "$child"; code=$?; }

tries=${SLURM_SUBMIT_DIR:-.}/.warcsieve-${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
case $ended_by,$code in
  # The job that seals runs after tasks that succeeded or failed. Inputs with faults are not a failure.
  *,0 | *,10)
    rm -f "$tries"
    exit 0
    ;;
  cancel,*) exit "$code" ;;
  ,1 | ,2 | ,42)
    rm -f "$tries"
    exit "$code"
    ;;
esac
count=$(($(cat "$tries" 2>/dev/null || echo 0) + 1))
if [ "$count" -le "${RETRIES:-5}" ] && echo "$count" >"$tries"; then
  echo "exit code $code${ended_by:+, time is over}; queued again" >&2
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
else
  rm -f "$tries"
fi
exit "$code"
