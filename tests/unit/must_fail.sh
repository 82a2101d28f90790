#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# must_fail.sh SOURCE COMPILER FLAG...: compiles the header that SOURCE includes first, once for all; and SOURCE once as it is,
# which must succeed, and once for each line
#   // FAILS CASE: text
# in it with -DMUST_FAIL -DCASE, which must fail with the text in what the compiler says. Texts may not span its line breaks.
# What only shows what compiles is left out where MUST_FAIL is defined.
set -uo pipefail
source=$1
shift
# A header that is found compiled beside its name, in a folder that is looked into first: if nothing is included before.
compiled=$(mktemp -d)
trap 'rm -rf "$compiled"' EXIT
header=$(sed -n 's|^#include [<"]\(.*\.hpp\)[>"]$|\1|p' "$source" | head -n 1)
mkdir -p "$compiled/$(dirname "$header")"
echo "#include <$header>" >"$compiled/header.hpp"
flags=()
for flag in "${@:2}"; do [[ $flag == -fsyntax-only ]] || flags+=("$flag"); done
"$1" "${flags[@]}" -x c++-header "$compiled/header.hpp" -o "$compiled/$header.gch" || exit 1
set -- "$1" "-I$compiled" "${@:2}"

if ! said=$("$@" "$source" 2>&1); then
  printf 'without a case it does not compile:\n%s\n' "$said"
  exit 1
fi
wrong=0
while IFS= read -r line; do
  case_name=${line%%:*}
  text=${line#*: }
  of_case=("$@" -DMUST_FAIL "-D$case_name")
  # Most say it first, after which the compiler may stop.
  if said=$("${of_case[@]}" -Wfatal-errors "$source" 2>&1); then
    echo "$case_name compiles"
    wrong=1
  elif [[ $said != *"$text"* ]] && { said=$("${of_case[@]}" "$source" 2>&1); [[ $said != *"$text"* ]]; }; then
    printf '%s fails without saying "%s":\n%s\n' "$case_name" "$text" "$(head -40 <<<"$said")"
    wrong=1
  fi
done < <(sed -n 's|^ *// FAILS ||p' "$source")
exit $wrong
