#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --write with the name of a picture writes the density, with a pixel for each of the finest cells: at the start
# of the shock tube yellow on the left, where it is largest, dark on the right; the same wherever blocks are.
source "$(dirname "$0")/common.sh"

picture() { samr "$1" --scenario sod --cells 8 --levels "$2" --steps 1 --sync 1 --write "$work/$3.ppm" "${@:4}" >/dev/null 2>&1; }
# pixel FILE NUMBER: its three bytes.
pixel() { tail -c +$(($(head -n 3 "$1" | wc -c) + 3 * $2 + 1)) "$1" | head -c 3 | od -An -tu1 | tr -s ' '; }

for levels in 1 3; do
  picture 1 $levels alone
  width=$((64 << (levels - 1))) height=$((8 << (levels - 1)))
  [[ $(head -n 3 "$work/alone.ppm" | tr '\n' ' ') == "P6 $width $height 255 " ]] || fail "its head is that of another"
  (($(stat -c %s "$work/alone.ppm") == $(head -n 3 "$work/alone.ppm" | wc -c) + 3 * width * height)) || fail "its size"
  [[ $(pixel "$work/alone.ppm" 0) == ' 252 231 33' ]] || fail "it is not yellow on the left:$(pixel "$work/alone.ppm" 0)"
  [[ $(pixel "$work/alone.ppm" $((width * height - 1))) == ' 71 1 85' ]] ||
    fail "it is not dark on the right:$(pixel "$work/alone.ppm" $((width * height - 1)))"
  picture 2 $levels moved --skein.lb=random --skein.lb-period=1
  cmp "$work/alone.ppm" "$work/moved.ppm" || fail "it depends on where blocks are"
done
