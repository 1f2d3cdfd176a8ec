#!/usr/bin/env bash
# A class whose GPUs come from Slurm, tried on this computer alone: one node that says it has two GPUs, workers that are
# none (they speak the protocol and invent their times), started by srun. Pages ask runs; in the middle one job is
# cancelled and comes back. As root, with slurm-wlm and munge installed, in a container or a machine of its own: it starts
# munged, slurmctld and slurmd with a configuration of its own in a temporary folder, and ends them.
#
#   scripts/try-slurm.sh [BUILD]     build/ is meant where nothing is said; class_check and gpu_stand_in must be built
set -euo pipefail
build=$(realpath "${1:-$(dirname "$0")/../build}")/bin
for program in munged slurmctld slurmd srun scancel; do
  command -v "$program" > /dev/null || { echo "$program is missing: apt-get install slurm-wlm munge"; exit 2; }
done
for program in tilewalk gpu_stand_in class_check; do
  [[ -x $build/$program ]] || { echo "$build/$program is missing: scripts/build.sh release $program"; exit 2; }
done

folder=$(mktemp -d) port=8667 code=abc-234
export SLURM_CONF=$folder/slurm.conf
pids=()
finish() {
  # The class first, which would ask for its workers again; then the jobs, while there is somebody to end them.
  kill "${pids[-1]}" 2> /dev/null || true
  squeue -h -o %i 2> /dev/null | xargs -r scancel || true
  sleep 3
  for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
  sleep 1
  rm -rf "$folder"
}
trap finish EXIT

chmod 755 "$folder"
mkdir "$folder/site" "$folder/state" "$folder/spool"
echo "<html></html>" > "$folder/site/index.html"
host=$(hostname -s)
cat > "$SLURM_CONF" << CONF
ClusterName=class
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=6917
SlurmdPort=6918
AuthType=auth/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) Gres=gpu:2
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
touch "$folder/gpu0" "$folder/gpu1"
echo "NodeName=$host Name=gpu File=$folder/gpu[0-1]" > "$folder/gres.conf"

mkdir -p /run/munge && chown munge: /run/munge
pgrep -x munged > /dev/null || { runuser -u munge -- munged; sleep 1; }
slurmctld -D -c > "$folder/slurmctld.out" 2>&1 & pids+=($!)
slurmd -D -N "$host" > "$folder/slurmd.out" 2>&1 & pids+=($!)
for ((k = 0; k < 30; ++k)); do
  sinfo -h -o %T 2> /dev/null | grep -qx idle && break
  sleep 1
done
sinfo
sinfo -h -o %T | grep -qx idle || { tail -n 20 "$folder"/*.log "$folder"/*.out; exit 1; }

worker="srun --quiet --gres=gpu:1 --cpus-per-task=1 --overcommit $build/gpu_stand_in slow"
"$build/tilewalk" class --listen 127.0.0.1:$port --code $code --site "$folder/site" \
  --worker "$worker" --worker "$worker" > "$folder/class.log" 2>&1 & pids+=($!)
for ((k = 0; k < 30; ++k)); do
  [[ $(grep -c "is there" "$folder/class.log") -ge 2 ]] && break
  sleep 1
done
grep "is there" "$folder/class.log"
squeue

echo "-- 10 pages, 2 runs each; one job is cancelled meanwhile"
(sleep 3; scancel "$(squeue -h -o %i | head -1)") &
"$build/class_check" $port $code 10 2
grep -E "ended|started again" "$folder/class.log"
for ((k = 0; k < 20; ++k)); do
  [[ $(squeue -h -t R | wc -l) -ge 2 ]] && break
  sleep 1
done
echo "-- and with both at work again"
"$build/class_check" $port $code 10 4
