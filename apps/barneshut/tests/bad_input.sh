#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is wrong is said, once, and the exit status is not 0.
source "$(dirname "$0")/common.sh"

for program in barneshut barneshut_native; do
  refused $program --nonsense --nonsense
  refused $program galaxy --scenario galaxy
  refused $program "not in range" --theta 2
  refused $program "not in range" --bodies 1
  refused $program --bodies --bodies many
  refused $program "power of two" --root 60
  refused $program "dipole" --multipole dipole
  refused $program "outside of the root cell" --bodies 100 --root 0.5
  refused $program "use a larger --root" --bodies 100 --root 16 --time-step 1 --softening 0 --steps 1000
  refused $program "cannot be written to $0/bodies" --bodies 100 --steps 0 --write "$0/bodies"
  [[ $(start $program 2 --help) == *"--scenario"* ]] || fail "--help does not help"
done
refused barneshut "none" --partition best
refused barneshut "advice: unknown strategy 'hypre'" --partition advisor --advice hypre
refused barneshut "not in range" --balance 0
refused barneshut_native "not in range" --sync 0
for mistake in "--nonsense nonsense" "--root=0.5 outside of the root cell"; do
  [[ $(barneshut 3 ${mistake%% *} 2>&1 | grep -c -e "${mistake#* }") == 1 ]] || fail "$mistake: not told once"
done
# More processes than bodies, and than pieces, are no mistake.
[[ $(barneshut 5 --bodies 3 --steps 20 | value fingerprint) == $(barneshut 1 --bodies 3 --steps 20 | value fingerprint) ]] || fail "5 processes, 3 bodies"
[[ $(start barneshut_native 4 --bodies 3 --steps 20 | value fingerprint) == $(barneshut 1 --bodies 3 --steps 20 | value fingerprint) ]] || fail "4 PEs, 3 bodies"

refused_advice barneshut_ranks --partition advisor
