#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packages.sh SKEIN WHAT: a program of the distribution, unmodified, with its ranks moved at random. Skipped where it is not
# installed.
#   python  solver.py with python3-mpi4py
#   script  the same, as a script that names its interpreter
#   phyml   trees of phyml-mpi, the same as unmoved
#   scalapack  a tester of ScaLAPACK for MPICH, whose residuals are below its threshold
set -euo pipefail
skein=$1 here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# needs FILE PACKAGE
needs() {
  [[ -e $1 ]] && return
  echo "no $1: apt-get install $2"
  exit 77
}

# moved COMMAND...: runs it; the file `said` has its standard error, and ranks must have moved.
moved() {
  timeout 100 "$skein" run -p 2 -n 4 --lb random --lb-period 1 "$@" 2>said
  cat said
  grep -qE 'LB moved [1-9]' said
}

case $2 in
  python)
    needs /usr/lib/python3/dist-packages/mpi4py python3-mpi4py
    moved /usr/bin/python3 "$here/solver.py" | tee out
    grep -q 'solver: all as it should be' out
    ;;
  script)
    needs /usr/lib/python3/dist-packages/mpi4py python3-mpi4py
    { echo '#!/usr/bin/python3'; cat "$here/solver.py"; } >solver
    chmod +x solver
    moved ./solver | tee out
    grep -q 'solver: all as it should be' out
    ;;
  scalapack)
    tests=$(echo /usr/lib/*/scalapack/mpich-tests)
    needs "$tests/xdlu" scalapack-mpi-test
    cp "$tests/LU.dat" .
    moved --sync-at MPI_Allreduce "$tests/xdlu" >out
    tail -n 20 out
    grep -qE '^ +[1-9][0-9]* tests completed and passed residual checks' out
    grep -qE '^ +0 tests completed and failed residual checks' out
    ;;
  phyml)
    needs /usr/bin/phyml-mpi phyml
    cat >a.phy <<'END'
 5 40
A ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT
B ACGTACGAACGTACGTACGTACGTACCTACGTACGTACGT
C ACGTACGTACGTAGGTACGTACGTACGTACTTACGTACGT
D ACGTTCGTACGTACGTACGTACGAACGTACGTACGTAAGT
E ACGTACGTCCGTACGTACGTATGTACGTACGTACGTACGT
END
    cp a.phy b.phy
    timeout 100 "$skein" run -q -p 1 -n 4 phyml-mpi -i a.phy -b 8 --r_seed 3 >out
    moved phyml-mpi -i b.phy -b 8 --r_seed 3
    [[ -s a.phy_phyml_boot_trees.txt ]]
    cmp a.phy_phyml_tree.txt b.phy_phyml_tree.txt
    cmp a.phy_phyml_boot_trees.txt b.phy_phyml_boot_trees.txt
    ;;
esac
