# SPDX-License-Identifier: Apache-2.0
# The rows of native programs in the table of bench/run.sh, which sources this file. AMPI runs none of them.

native() { # native PES MEASUREMENT...
  local pes=$1
  shift
  "$mpiexec" -n "$pes" "$bench/chare_bench" "$@"
}

# native_row NAME UNIT BOUND PES MEASUREMENT...
native_row() {
  local name=$1 unit=$2 bound=$3
  shift 3
  row "$name" "$unit" "$(native "$@")" "$bound" ''
}

# native_between NAME RAW-BYTES BOUND MEASUREMENT...: a row between two PEs; in BOUND, RAW stands for the time of the
# MPI underneath for RAW-BYTES.
native_between() {
  local name=$1 bytes=$2 bound=$3 attempt before after ours theirs
  shift 3
  for ((attempt = 0; attempt < attempts; ++attempt)); do
    before=$("$bench/hand_over")
    theirs=$(raw pingpong "$bytes")
    ours=$(native 2 "$@")
    after=$("$bench/hand_over")
    if awk "BEGIN { exit !($after < 1.5 * $before && $before < 1.5 * $after) }"; then break; fi
  done
  row "$name" ns "$ours" "${bound//RAW/$theirs}" '' "$(compute "$theirs")" "$before..$after"
}

# native_moves_row NAME BOUND MEASUREMENT: a row with a ratio of moves_bench.
native_moves_row() { row "$1" ratio "$("$mpiexec" -n 2 "$bench/moves_bench" "$3" 2>/dev/null)" "$2" ''; }

# samr_ratio OPTION...: the median of three pairs of runs, whose results must be equal.
samr_ratio() {
  local pair ours theirs
  for pair in 1 2 3; do
    ours=$("$mpiexec" -n 1 "$build/apps/samr/samr" "$@" 2>/dev/null)
    theirs=$("$build/bench/samr/samr_loop" "$@")
    [[ $(sed -n 's/^fingerprint: //p' <<<"$ours") == $(sed -n 's/^fingerprint: //p' <<<"$theirs") ]] || fail "samr and samr_loop differ"
    compute "$(sed -n 's/^time loop: \(.*\) s$/\1/p' <<<"$ours") / $(sed -n 's/^time loop: \(.*\) s$/\1/p' <<<"$theirs")"
  done | median
}

# samr_adapting_ms: the processor time of PE 0, in ms, that an adaptation of 10,000 grids of apps/samr takes with its LB step on 64 PEs.
# PE 0 has the director besides its grids. The number of cores does not matter.
samr_adapting_ms() {
  "$mpiexec" --oversubscribe -n 64 "$build/apps/samr/samr" --problem shockpool3d --cells 68,68,68 --least 2 --greatest 4 --levels 2 \
    --steps 2 --skein.lb=move-split --skein.lb-period=1 2>/dev/null |
    awk '/^adapting and balancing: / { printf "%.1f\n", 1000 * $(NF - 9) }'
}

# pup_rows: rows from pup_bench: a name of 44 columns, then ours, by hand, ratio, at most.
pup_rows() {
  local line ours by_hand ratio most
  while IFS= read -r line; do
    read -r ours by_hand ratio most _ <<<"${line:44}"
    row "${line:0:44}" ns "$ours" "$by_hand * $most" '' "$(compute "$by_hand")"
  done < <("$bench/pup_bench" | tail -n +2)
}

# Makes a program with one array and so many entry methods, each of which is called, with a dozen kinds of
# arguments.
entry_methods() { # entry_methods COUNT
  local kinds=('int a' 'double a' 'long a, int b' 'std::string a' 'std::vector<int> a' 'std::vector<double> a, int b'
    'std::map<int, double> a' 'const std::string\& a, bool b' 'std::pair<int, float> a' 'std::set<long> a' ''
    'std::optional<int> a')
  local values=('1' '1.0' '1, 2' '"a"' 'std::vector<int>(3)' 'std::vector<double>(3), 1' 'std::map<int, double>()'
    '"a", true' 'std::pair(1, 2.0f)' 'std::set<long>()' '' '1')
  local i sends=
  echo '#include <skein/skein.hpp>'
  echo 'struct Many : skein::Chare<Many, skein::Index1> {'
  echo '  template <class Ar> void serialize(Ar& ar, unsigned) { ar & calls; }'
  for ((i = 0; i < $1; ++i)); do
    echo "  void method$i(${kinds[i % 12]//\\/}) { ++calls; }"
    sends+="many[$i].send<&Many::method$i>(${values[i % 12]});"$'\n'
  done
  printf '  int calls = 0;\n};\nint main(int argc, char** argv) {\n'
  printf '  return skein::run(argc, argv, [](skein::Job& job) {\n    const auto many = job.array<Many>(100);\n'
  printf '%s  });\n}\n' "$sends"
}
seconds_to_compile() { # seconds_to_compile COUNT
  entry_methods "$1" >"$work/methods.cpp"
  seconds_of "$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")" -std=c++20 -O2 -w \
    -I"$(sed -n 's/^Skein_SOURCE_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")/include" -c "$work/methods.cpp" -o "$work/methods.o"
}

native_rows() {
  native_row 'native: empty entry method, same PE' ns 45 1 empty
  native_row 'native: with one int' ns 50 1 int
  native_row 'native: with one int, inlined' ns 8 1 inlined
  native_between 'native: one way, 8 B, two PEs' 8 '0.8 * RAW' number
  native_between 'native: one way, vector of 1 MiB, two PEs' 1048576 '0.8 * RAW' vector 1048576
  native_between 'native: the same, which the sender keeps' 1048576 '0.8 * RAW' kept 1048576
  # At least 30 million a second.
  native_row 'native: an aggregated call of 16 B, two PEs' ns 1e9/30e6 2 aggregate
  native_moves_row 'native: aggregated calls to an element that moved just now, against unmoved' 2 aggregated
  native_moves_row 'native: 1,000 calls of each of 8 to one that moves after every call' 50 sent
  native_moves_row 'native: 1,000 questions of each of 8, likewise' 20 asked
  local whole fine
  whole=$("$mpiexec" -n 2 "$bench/bfs_bench" 1 2>/dev/null)
  fine=$("$mpiexec" -n 2 "$bench/bfs_bench" 16 2>/dev/null)
  row 'native: BFS of 2^20 vertices, against a serial one' ratio "$whole" 1.0 ''
  row 'native: the same, 16 parts a PE against 1' ratio "$(compute "$fine / $whole")" 1.2 ''
  local against_loop block_by_block
  read -r against_loop block_by_block <<<"$("$bench/stencil_bench" 512 2>/dev/null)"
  row 'native: stencil of 1024^2, blocks of 512^2, against a loop' ratio "$against_loop" 1.05 ''
  read -r against_loop block_by_block <<<"$("$bench/stencil_bench" 32 2>/dev/null)"
  row 'native: stencil of 1024^2, blocks of 32^2, against a loop' ratio "$against_loop" 1.3 ''
  row 'native: the same, against a loop that goes block by block' ratio "$block_by_block" 1.3 ''
  local problem=(--problem sedov --cells 32,32,32 --radius 0.03 --steps 12 --report 1000)
  row 'native: apps/samr on one PE, against a loop over the same grids' ratio \
    "$(samr_ratio "${problem[@]}")" 1.3 ''
  row 'native: cutting a grid of 64^3 of it, half of which moves, against a copy' ratio \
    "$("$mpiexec" -n 2 "$build/bench/samr/split_bench" 2>/dev/null)" 1.5 ''
  row 'native: adapting and balancing 10,000 grids of it, 64 PEs, processor of PE 0' ms "$(samr_adapting_ms)" 50 ''
  native_row 'native: creating 1,000,000 elements, two PEs' s 0.06 2 create 1000000
  native_row 'native: memory of an element' B 200 2 memory 1000000
  native_row 'native: broadcast and reduction over them' ms 30 2 cycle 1000000
  pup_rows
  native_between 'native: moving an element of 1 MiB' 1048576 '0.8 * RAW' move 1048576
  native_row 'native: moving an element of 8 B' ns 1200 2 move 8
  native_row 'native: detection of quiescence, idle job' us 4 2 quiescence
  row 'native: compiling an array of 10 entry methods' s "$(seconds_to_compile 10)" 3 ''
  row 'native: compiling 100 entry methods' s "$(seconds_to_compile 100)" 10 ''
}
