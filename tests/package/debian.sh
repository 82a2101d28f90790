#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# debian.sh BUILD VERSION SOURCE: makes the Debian packages of a build, and compiles and runs SOURCE, which prints "sum 10" on
# five ranks, with their files. If the MPI underneath is no package they would need what is not there: exit status 77.
set -euo pipefail
build=$1 version=$2 source=$3
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-debian.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/said" 2>&1 || fail "cpack: $(cat "$work/said")"
architecture=$(dpkg --print-architecture)
for package in skein skein-dev skein-tools; do
  file=$work/packages/${package}_${version}_$architecture.deb
  [[ -e $file ]] || fail "there is no $file"
  dpkg-deb -c "$file" | sed -n 's|^-.* \./||p' >"$work/$package"
  dpkg-deb -x "$file" "$work/root"
  needs=$(dpkg-deb -f "$file" Depends)
  case $package in
    skein) [[ $needs == *libhwloc15* && $needs == *mpi* ]] || fail "$package needs '$needs'" ;;
    *) [[ $needs == *"skein (= $version)"* ]] || fail "$package needs '$needs'" ;;
  esac
done
# The first package holds all that programs need at run time, and no file is in two.
for file in usr/bin/skein usr/libexec/skein/skein-boot usr/lib/libmpi_abi.so.0 usr/lib/libskein_private.so; do
  grep -qx "$file" "$work/skein" || fail "$file is not in skein"
done
grep -q '\.hpp$\|\.h$\|\.a$\|\.cmake$\|\.mod$' "$work/skein" "$work/skein-tools" && fail "what building programs takes is not in skein-dev alone"
grep -qx usr/libexec/skein/skein-tools "$work/skein-tools" || fail "skein-tools is not in skein-tools"
twice=$(cat "$work"/skein "$work"/skein-dev "$work"/skein-tools | sort | uniq -d)
[[ -z $twice ]] || fail "in two packages: $twice"

# An installation may be moved, so this one runs where it was unpacked.
skein=$work/root/usr/bin/skein
"$skein" cc "$source" -o "$work/program"
[[ $("$skein" run -q -p 2 -n 5 "$work/program") == "sum 10" ]] || fail "the program says something else"
"$skein" lb --help >/dev/null
echo "all as it should be"
