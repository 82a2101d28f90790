# SPDX-License-Identifier: Apache-2.0
# Source this in tests that wait for what a job does. The test defines: fail TEXT; $job, the process; $mark, a name for the job.

# wait_for COMMAND: waits until the command succeeds; fails after a minute.
wait_for() {
  local tries
  for ((tries = 0; tries < 600; ++tries)); do
    ! eval "$1" || return 0
    sleep 0.1
  done
  return 1
}

# pid_of_pe PE MARK: prints the process of that PE in the job that was started with JOB_TEST_MARK=MARK.
pid_of_pe() {
  local environment
  for environment in $(grep -lszxF "JOB_TEST_MARK=$2" /proc/[0-9]*/environ); do
    # No grep -q: it ends before tr has written all, which then fails.
    ! tr '\0' '\n' <"$environment" 2>/dev/null | grep -E "^(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1$" >/dev/null ||
      basename "${environment%/environ}"
  done | head -n 1
}

# stop_pe PE: stops (SIGSTOP) a PE of the job that was started with JOB_TEST_MARK=$work/$mark; its process is $stopped.
stop_pe() {
  stopped=$(pid_of_pe "$1" "$work/$mark")
  [[ -n $stopped ]] || fail "$mark: there is no PE $1"
  kill -STOP "$stopped"
}

# ends_with STATUS: the job ends with that exit status.
ends_with() {
  local status=0
  wait "$job" || status=$?
  [[ $status == "$1" ]] || fail "$mark: exit status $status, not $1"
}
