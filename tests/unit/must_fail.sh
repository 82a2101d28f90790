#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# must_fail.sh SOURCE COMPILER FLAG...: SOURCE must compile as it is, and must not with -DMUST_FAIL -DCASE, for each line
#   // FAILS CASE: text
# in it; the compiler must print the text, not broken across its lines. Code that only shows what compiles is left out where
# MUST_FAIL is defined.
# To read headers once, all cases are compiled as one file, each in a namespace of its own, whose lines count as those of a file
# with the case's name. A case for which the compiler does not print the text there is compiled alone.
set -uo pipefail
source=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# part NAME: the source in a namespace, without the #includes.
part() { printf 'namespace of_%s {\n#line 1 "%s"\n%s\n}\n' "$1" "$1" "$(sed 's/^#include.*//' "$source")"; }
mapfile -t cases < <(sed -n 's|^ *// FAILS \([A-Z_0-9]*\):.*|\1|p' "$source" | sort -u)
{
  grep '^#include' "$source"
  part AS_IT_IS
  echo '#define MUST_FAIL'
  for name in "${cases[@]}"; do
    printf '#define %s\n%s\n#undef %s\n' "$name" "$(part "$name")" "$name"
  done
} >"$folder/all.cpp"
# The place of an error precedes its text: all lines go to the file of the case that was named last.
touch "$folder/AS_IT_IS"
"$@" -fno-diagnostics-show-caret "$folder/all.cpp" 2>&1 |
  awk -F: -v folder="$folder" '/^(AS_IT_IS|CASE_[A-Z_0-9]*):/ { name = $1 }
    { held = held $0 "\n" }
    /: (error|note): / { printf "%s", held >>(folder "/" (name ? name : "AS_IT_IS")); held = "" }'

if [[ -s $folder/AS_IT_IS ]]; then
  printf 'without a case it does not compile:\n%s\n' "$(<"$folder/AS_IT_IS")"
  exit 1
fi
wrong=0
while IFS= read -r line; do
  name=${line%%:*}
  text=${line#*: }
  if grep -qsF -e "$text" "$folder/$name"; then continue; fi
  if said=$("$@" -DMUST_FAIL "-D$name" "$source" 2>&1); then
    echo "$name compiles"
    wrong=1
  elif [[ $said != *"$text"* ]]; then
    printf '%s fails without saying "%s":\n%s\n' "$name" "$text" "$(head -40 <<<"$said")"
    wrong=1
  fi
done < <(sed -n 's|^ *// FAILS ||p' "$source")
exit $wrong
