# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests beside it, which are called with the build directory and the path of mpiexec.
set -euo pipefail
build=$1
mpiexec=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scenarios=$here/../scenarios
work=$(mktemp -d "$build/$(basename "$0" .sh).XXXXXX")
trap 'rm -rf "$work"' EXIT
source "$here/../../../tests/failing_job.sh"
if "$mpiexec" --version 2>&1 | grep -q 'Open MPI\|OpenRTE'; then oversubscribe=--oversubscribe; else oversubscribe=; fi

# seismic RANKS ARGUMENTS...
seismic() {
  local ranks=$1
  shift
  "$mpiexec" $oversubscribe -n "$ranks" "$build/seismic_mpirun" "$@"
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
