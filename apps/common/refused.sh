# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests bad_input of the native programs here, behind their common.sh.

# refused PROGRAM TEXT OPTION...: it ends with another status than 0 and says the text on standard error.
refused() {
  local program=$1 text=$2 said status=0
  shift 2
  said=$(timeout 60 "$mpiexec" -n 2 "$programs/$program" "$@" 2>&1 >/dev/null) || status=$?
  if ((status == 0 || status == 124)); then fail "$*: status $status"; fi
  [[ $said == *"$text"* ]] || fail "$*: does not say '$text' but: $said"
}
