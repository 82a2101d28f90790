# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests beside it, which are called as NAME.sh FOLDER MPIEXEC with the folder of the programs.
set -euo pipefail
programs=$1 mpiexec=$2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_orte_execute_quiet=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Small enough for a test; the drop is as far on the left as in the real scenario.
small=(--scenario droplet --cutoff 2.5 --box 30,15,15 --radius 5 --outside 0.01)

# moldyn PES OPTION...
moldyn() {
  local pes=$1
  shift
  "$mpiexec" -n "$pes" "$programs/moldyn" "$@"
}

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# value 'text before it': what stands behind that text in standard input.
value() { sed -n "s/^$1: *\([^ ]*\).*/\1/p"; }
