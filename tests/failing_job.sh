# SPDX-License-Identifier: Apache-2.0
# Sourced by tests of jobs that are to fail.

# Else Open MPI's launcher waits two seconds for the processes of a job that failed, which are gone already.
export OMPI_MCA_odls_base_sigkill_timeout=0

# run_failing LAUNCHER ARGUMENT...: returns the job's exit status, or 124 where it takes more than a minute.
#
# Open MPI's launcher (4.1, with PMIx 4.2) may wait for ever behind such a job, two of its threads for each other in
# PMIx_server_finalize(). So one whose processes have all ended is killed, and the status is that of these.
run_failing() {
  local launcher watch status=0 fate
  fate=$(mktemp)
  "$@" &
  launcher=$!
  watch_launcher "$launcher" "$fate" &>/dev/null &
  watch=$!
  wait "$launcher" || status=$?
  kill "$watch" 2>/dev/null || true
  if [[ -s $fate ]]; then status=$(<"$fate"); fi
  rm -f "$fate"
  return "$status"
}

# watch_launcher PROCESS FILE: kills it when it waits in vain, and writes the job's status to FILE.
watch_launcher() {
  local round child stat status living
  for round in {1..12}; do
    sleep 5
    status=0 living=0
    for child in $(pgrep -P "$1"); do
      read -ra stat <"/proc/$child/stat" || continue
      if [[ ${stat[2]} != Z ]]; then living=1; fi
      # As waitpid() would tell: the exit status above eight bits of the signal.
      if ((stat[-1] > 0)); then status=$((stat[-1] > 255 ? stat[-1] >> 8 : 128 + (stat[-1] & 127))); fi
    done
    if ((round < 12 && (living || status == 0))); then continue; fi
    if ((living || status == 0)); then status=124; fi
    echo "$status" >"$2"
    pkill -KILL -P "$1"
    kill -KILL "$1"
    return
  done
}
