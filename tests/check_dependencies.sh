#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dependencies point down. Reads the #include lines of all tracked sources and reports those that break a rule:
#   runtime/<module>   uses only modules before it in runtime/CMakeLists.txt, whose order is the one declared there
#   a room of a module uses only rooms before it in the table of the module's README, if that has one ("| room |")
#   runtime            sees lb only through include/skein/lb and lb/collectives
#   lb/collectives     sees nothing but itself and include/skein/lb
#   lb                 sees neither MPI nor runtime; but for the modules of Zoltan and PT-Scotch, which want a communicator
#   include/skein      sees nothing of runtime
set -euo pipefail
cd "$(dirname "$0")/.."

modules=$(sed -n 's/^foreach(module \(.*\))$/\1/p' runtime/CMakeLists.txt)
if [[ -z $modules ]]; then
  echo "check_dependencies: no list of modules in runtime/CMakeLists.txt" >&2
  exit 1
fi

# module/room in their order.
rooms=$(awk '/^\| room \|/ { in_table = 1; next } /^\|-/ { next } !/^\|/ { in_table = 0; next }
             in_table { split(FILENAME, path, "/"); split($0, cell, "`"); print path[2] "/" substr(cell[2], 1, length(cell[2]) - 1) }' \
  $(git ls-files 'runtime/*/README.md'))

# file:line:included, of every #include in the folders concerned.
git grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' -- runtime lb include |
  sed -E 's/^([^:]*):([0-9]+):[^"<]*["<]([^">]*).*/\1:\2:\3/' |
  awk -F: -v modules="$modules" -v rooms="$rooms" '
    BEGIN {
      count = split(modules, names, " ")
      for (i = 1; i <= count; ++i) place[names[i]] = i
      count = split(rooms, names, "\n")
      for (i = 1; i <= count; ++i) {
        room_place[names[i]] = i
        split(names[i], parts, "/")
        has_rooms[parts[1]] = 1
      }
    }
    function report(why) {
      print $1 ":" $2 ": includes " $3 ": " why
      broken = 1
    }
    {
      split($1, from, "/")
      split($3, to, "/")
      of_runtime = to[1] == "runtime"
      if (from[1] == "include" && of_runtime) report("a public header may not use runtime")
      if (from[1] == "lb" && of_runtime) report("lb may not use runtime")
      if ($1 ~ /^lb\/libraries\/(zoltan|ptscotch)_module.cpp$/ && $3 == "mpi.h") next
      if ((from[1] == "lb" || $1 ~ /^include\/skein\/lb\//) && $3 ~ /(^|\/)mpi\.h$/) report("lb may not use MPI")
      if (from[1] == "runtime" && to[1] == "lb" && to[2] != "collectives") report("runtime may use only skein/lb/... and lb/collectives/")
      if (from[1] == "lb" && from[2] == "collectives" && to[1] == "lb" && to[2] != "collectives") report("lb/collectives may use only skein/lb/...")
      if (from[1] != "runtime" || !of_runtime) next
      if (!(from[2] in place)) report("module " from[2] " is not in the list of runtime/CMakeLists.txt")
      else if (!(to[2] in place)) report("module " to[2] " is not in the list of runtime/CMakeLists.txt")
      else if (place[to[2]] > place[from[2]]) report(to[2] " is above " from[2])
      if (from[2] != to[2] || !(from[2] in has_rooms)) next
      room = 4 in from ? from[2] "/" from[3] : ""
      used = 4 in to ? to[2] "/" to[3] : ""
      if (room != "" && !(room in room_place)) report("room " room " is not in the table of runtime/" from[2] "/README.md")
      else if (room != "" && used == "") report(to[3] " is in no room, so above all rooms")
      else if (room != "" && room_place[used] > room_place[room]) report(used " is above " room)
    }
    END { exit broken }'
