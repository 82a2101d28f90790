#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# must_fail.sh SOURCE COMPILER FLAG...: SOURCE must compile as it is, and must not with -DMUST_FAIL -DCASE, for each line
#   // FAILS CASE: text
# in it, where the text must be in what the compiler says. Texts may not span its line breaks. What only shows what compiles
# is left out where MUST_FAIL is defined.
# So that headers are read once, all of it is compiled as one file, each case in a namespace of its own, whose lines are said
# to be of a file with the case's name. A case of which the compiler does not say the text there is compiled alone.
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
# Where an error is precedes it: its lines go to the file of the case that was named last.
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
