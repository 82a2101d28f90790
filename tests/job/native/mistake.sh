# SPDX-License-Identifier: Apache-2.0
# For scripts with the arguments MPIEXEC PES PROGRAM: each mistake ends the job with another status than 0 and
# prints all its texts. The scripts end with `exit $failed`.
mpiexec=$1 pes=$2 program=$3
failed=0 every=1 mistakes=0
source "$(dirname "${BASH_SOURCE[0]}")/../../failing_job.sh"

# mistake NAME TEXT...
mistake() {
  local name=$1 said status text
  shift
  ((mistakes++ % every == 0)) || return 0
  said=$(run_failing "$mpiexec" -n "$pes" "$program" "$name" --skein.lb=greedy --skein.lb-period=1 2>&1)
  status=$?
  if ((status == 0 || status == 124)); then
    echo "$name: status $status"
    failed=1
  fi
  for text in "$@"; do
    if [[ $said != *"$text"* ]]; then
      printf '%s: does not say "%s" but:\n%s\n' "$name" "$text" "$said"
      failed=1
    fi
  done
}
