#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --write with the name of a picture writes the density in the middle, with a pixel for each of the finest cells: at the start
# of the shock tube yellow on the left, where it is largest, dark on the right; independent of the places of grids.
source "$(dirname "$0")/common.sh"

picture() { samr "$1" --problem sod --cells 16,8,8 --levels 2 --greatest 8 --steps 1 --write "$work/$2.ppm" "${@:3}" >/dev/null 2>&1; }
# pixel FILE NUMBER: prints the pixel's three bytes.
pixel() { tail -c +$(($(head -n 3 "$1" | wc -c) + 3 * $2 + 1)) "$1" | head -c 3 | od -An -tu1 | tr -s ' '; }

picture 1 alone
[[ $(head -n 3 "$work/alone.ppm" | tr '\n' ' ') == "P6 32 16 255 " ]] || fail "its head is that of another"
(($(stat -c %s "$work/alone.ppm") == $(head -n 3 "$work/alone.ppm" | wc -c) + 3 * 32 * 16)) || fail "its size"
[[ $(pixel "$work/alone.ppm" 0) == ' 252 231 33' ]] || fail "it is not yellow on the left:$(pixel "$work/alone.ppm" 0)"
[[ $(pixel "$work/alone.ppm" $((32 * 16 - 1))) == ' 71 1 85' ]] || fail "it is not dark on the right"
picture 2 moved --skein.lb=random --skein.lb-period=1
cmp "$work/alone.ppm" "$work/moved.ppm" || fail "it depends on where grids are"
