#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bad_input.sh SKEIN PROGRAM C_COMPILER MPIEXEC start|faults: a job that cannot start says why and what helps; a rank that
# fails ends the whole job, which names rank, PE and cause, keeps what the program printed, and leaves no process behind.
# PROGRAM is tests/programs/faults.c.
set -euo pipefail
skein=$1 faults=$2 compiler=$3 mpiexec=$4 part=$5
work=$(mktemp -d "${TMPDIR:-/tmp}/skein-bad-input.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0
cases=0

complain() {
  echo "FAILED: $*" >&2
  sed 's/^/    /' out err >&2
  failures=$((failures + 1))
}

# nobody_has WORD: no process may remain whose command line has WORD; ending takes a moment.
nobody_has() {
  local tries
  for ((tries = 0; tries < 100; ++tries)); do
    pgrep -f -- "$1" >/dev/null || return 0
    sleep 0.1
  done
  return 1
}

# judge STATUS PATTERN... -- GOT COMMAND...: the command has ended with GOT, which is STATUS ("some": any but 0), and each
# pattern (extended regular expression) is somewhere on its standard error, the file err.
judge() {
  local wanted=$1 got patterns=() pattern
  shift
  while [[ $1 != -- ]]; do
    patterns+=("$1")
    shift
  done
  got=$2
  shift 2
  cases=$((cases + 1))
  if [[ $wanted == some ]]; then
    ((got != 0 && got != 124)) || complain "$* : exit status $got"
  else
    ((got == wanted)) || complain "$* : exit status $got, not $wanted"
  fi
  for pattern in "${patterns[@]}"; do
    grep -qE -- "$pattern" err || complain "$* : nothing on standard error like: $pattern"
  done
}

# expect STATUS PATTERN... -- COMMAND...: runs the command and judges it.
expect() {
  local status=0 judged=()
  while [[ $1 != -- ]]; do
    judged+=("$1")
    shift
  done
  shift
  timeout 60 "$@" </dev/null >out 2>err || status=$?
  judge "${judged[@]}" -- "$status" "$@"
}

# refused PATTERN... -- ARGUMENTS...: checks that the job does not start.
refused() {
  local patterns=()
  while [[ $1 != -- ]]; do
    patterns+=("$1")
    shift
  done
  shift
  expect 2 "${patterns[@]}" -- "$skein" run "$@"
}

# A full disk is reported at once, and by the exit status; the job goes on without the file.
full_files() {
  local pes
  for pes in 1 2; do
    expect some 'LB report could not be written.*No space left.*--lb-report' 'LB rotate: [1-9]' -- \
      "$skein" run -p "$pes" -n 4 --lb rotate --lb-period 1 --sync-at MPI_Barrier --lb-report /dev/full "$faults" barriers
    expect some 'LB dump ends here.*No space left.*--lb-dump' -- \
      "$skein" run -p "$pes" -n 4 --lb-period 1 --sync-at MPI_Barrier --lb-dump /dev/full "$faults" barriers
  done
  for pes in 1 2; do
    expect 1 'standard output cannot be written.*not complete' -- \
      bash -c "'$skein' run -p $pes -n 4 '$faults' barriers >/dev/full"
  done
  local word
  for word in info help; do
    expect some 'standard output.*No space left' -- bash -c "'$skein' $word >/dev/full"
  done
}

test_start() {
  # The program.
  refused 'no program given' --
  refused "no program 'nosuch'" -- nosuch
  refused "\./nosuch.*No such file" -- ./nosuch
  mkdir folder
  refused "'\./folder' is a folder" -- ./folder
  echo "plain text" >text
  refused 'text.*Permission denied.*chmod' -- ./text
  chmod +x text
  refused 'text is not an ELF file' -- ./text
  printf '#!/bin/sh\n' >script
  chmod +x script
  refused 'script is a script' -- ./script
  echo 'int main(void) { return 0; }' >main.c
  "$compiler" -fno-pie -no-pie main.c -o fixed
  refused 'fixed is not position-independent' '-fPIE' -- ./fixed
  "$compiler" -static main.c -o static
  refused 'static is linked statically' -- ./static
  cp "$faults" other_machine
  printf '\xb7\x00' | dd of=other_machine bs=1 seek=18 conv=notrunc status=none  # e_machine: EM_AARCH64
  refused 'other_machine is built for AArch64' 'x86-64' -- ./other_machine
  head -c 3000 "$faults" >cut
  chmod +x cut
  refused 'cut: damaged ELF file' -- ./cut
  echo 'int somewhere(void) { return 0; }' >library.c
  echo 'int somewhere(void); int main(void) { return somewhere(); }' >user.c
  "$compiler" -shared -fPIC library.c -o libbad_input.so
  "$compiler" user.c -o user -L. -lbad_input -Wl,-rpath,"$work"
  "$compiler" -shared -fPIC main.c -o libbad_input.so
  refused 'nothing defines somewhere' 'user' -- ./user
  rm libbad_input.so
  refused 'libbad_input\.so' -- ./user

  # Counts and sizes.
  local count
  for count in 0 -1 x 1e9 1.5 99999999999999999999 ''; do
    refused "-n.*'$count'" '--ranks' -- -n "$count" "$faults" nothing
  done
  for count in 0 x ''; do refused "-p.*'$count'" '--pes' -- -p "$count" "$faults" nothing; done
  refused '-p 60000: more PEs than' 'SKEIN_MPIEXEC' -- -p 60000 "$faults" nothing
  refused 'slot-size 3M' 'from 16M' -- --slot-size 3M "$faults" nothing
  refused 'slot-size 1T' 'from 16M to 64G' -- --slot-size 1T "$faults" nothing
  refused '2000 slots of 64G do not fit the 64T' '--slot-size' -- -n 2000 --slot-size 64G "$faults" nothing
  refused 'slot-size 48M' 'power of two' '64M' -- --slot-size 48M "$faults" nothing
  refused 'stack-size 1:' '16K' -- --stack-size 1 "$faults" nothing
  refused 'no room for a stack' '--slot-size' '--stack-size' -- --slot-size 16M --stack-size 16M "$faults" nothing
  refused '4000000 ranks are not possible: of the .* of memory' -- -n 4000000 "$faults" nothing

  # Names.
  refused 'unknown option --bogus' '--help' -- --bogus "$faults" nothing
  refused 'unknown option --lbb' 'did you mean --lb\?' -- --lbb greedy "$faults" nothing
  refused '-n needs a value' -- -n
  refused "unknown strategy 'greedi'" 'greedy, greedy-refine' -- --lb greedi "$faults" nothing
  refused "no key 'colour'" "'greedy'" -- --lb greedy:colour=blue "$faults" nothing
  refused "'purple'" 'auto\|shared\|private' -- --arena purple "$faults" nothing
  refused "strategy library './nosuch.so': cannot be loaded.*No such file" -- --lb ./nosuch.so:mine "$faults" nothing
  "$compiler" -shared -fPIC library.c -o libnone.so
  refused "strategy library '.*': has no function skein_lb_plugin" -- --lb "$work/libnone.so:mine" "$faults" nothing
  refused "'offline' needs a value of its key 'file'" -- --lb offline "$faults" nothing
  refused "lb-period 0" -- --lb greedy --lb-period 0 "$faults" nothing
  refused "unknown mode 'eager'" 'valid: inline, decoupled, lazy, auto' -- --lb greedy --lb-mode eager "$faults" nothing
  refused "no key 'colour'" "mode 'decoupled'" -- --lb greedy --lb-mode decoupled:colour=blue "$faults" nothing
  refused "mode 'auto' has no keys" 'skein tune TRACE --lb-mode all' -- --lb greedy --lb-mode auto:report=a.report "$faults" nothing
  refused "mode 'auto' has no keys" 'platform FILE' -- --lb greedy --lb-mode auto:platform=a.platform "$faults" nothing
  refused 'lb-mode: 2 of 2 PEs are reserved' 'none is left to compute' 'pes=M' -- \
    -p 2 --lb greedy --lb-mode decoupled:reserved,pes=2 "$faults" nothing
  refused 'lb-mode: 1 of 1 PEs are reserved' -- -p 1 --lb greedy --lb-mode decoupled:reserved "$faults" nothing
  refused '3 PEs are to decide, and the job has 2' 'pes=M' -- -p 2 --lb random --lb-mode decoupled:pes=3 "$faults" nothing
  refused "'patience' and 'silent' are about PEs that only decide" "add 'reserved'" -- \
    -p 2 --lb greedy --lb-mode decoupled:patience=3 "$faults" nothing
  refused '2 PEs are to decide together, and --lb greedy decides on one PE' 'decide together are .*zoltan' 'pes=1' -- \
    -p 3 --lb greedy --lb-mode decoupled:pes=2 "$faults" nothing
  refused 'lb auto decides on one PE' 'pes=1' -- -p 4 --lb auto --lb-mode lazy:pes=2 "$faults" nothing
  refused 'lb-dump writes snapshots of all objects' 'pes=1' -- \
    -p 4 --lb random --lb-mode decoupled:pes=2 --lb-dump dump "$faults" nothing
  refused 'lb-model looks at what all objects took before' 'pes=1' -- \
    -p 4 --lb random --lb-mode decoupled:pes=2 --lb-model average "$faults" nothing
  refused 'lb-period auto looks at all objects' 'pes=1' -- \
    -p 4 --lb random --lb-mode decoupled:pes=2 --lb-period auto "$faults" nothing
  refused "key 'wait' is 'auto', which was removed" 'never, always, or a number' -- --lb random --lb-mode lazy:wait=auto "$faults" nothing
  refused "key 'wait' is 'soon'" 'never, always, or a number' -- -p 2 --lb greedy --lb-mode lazy:wait=soon "$faults" nothing
  refused "'thread' decides beside PE 0" 'leave one of them out' -- \
    -p 2 --lb greedy --lb-mode lazy:thread,pes=1 "$faults" nothing
  refused 'lazy mode counts sync points' '--lb-period' -- \
    -p 2 --lb greedy --lb-mode lazy --lb-period auto "$faults" nothing
  refused 'lb zoltan may call MPI' 'decoupled' -- -p 2 --lb zoltan --lb-mode lazy:thread "$faults" nothing
  printf '0\n1\n2\n' >reserved.map
  refused 'sends rank 2 to PE 2, which only decides' 'PEs 0 to 1' -- \
    -p 3 -n 3 --map reserved.map --lb greedy --lb-mode decoupled:reserved "$faults" nothing
  refused "'MPI_Send'" 'MPI_Allreduce' -- --sync-at MPI_Send "$faults" nothing
  refused 'MPI_Barrier:every=0' -- --sync-at MPI_Barrier:every=0 "$faults" nothing
  refused 'libnosuch\.so' 'libc\.so\.6' -- --private libnosuch.so "$faults" nothing
  refused 'NO_SUCH_EVENT' 'this machine has' -- --papi NO_SUCH_EVENT "$faults" nothing
  refused 'seed.*abc' -- --seed abc "$faults" nothing

  # Files.
  refused 'lb-report /nosuch/report.*No such file' -- -p 2 -n 4 --lb greedy --lb-report /nosuch/report "$faults" nothing
  refused 'lb-report .*Is a directory' -- --lb greedy --lb-report "$work" "$faults" nothing
  if [[ -c /dev/full ]]; then full_files; fi
  refused 'map nosuch' -- --map nosuch "$faults" nothing
  printf '0\n1\n' >map
  refused 'map' -- -p 2 -n 3 --map map "$faults" nothing
  printf '0\n1\n2\n' >map
  refused "map sends rank 2 to PE '2'.* PEs 0 to 1" -- -p 2 -n 3 --map map "$faults" nothing
  printf '0\n1\n1\n' >map
  refused 'map has at least 3 PE numbers.* 2 ranks' -- -p 2 -n 2 --map map "$faults" nothing
  printf '0\n1x\n' >map
  refused "map sends rank 1 to PE '1x'" -- -p 2 -n 2 --map map "$faults" nothing

  # A limit of file sizes below the shared memory is raised where that is allowed, else reported.
  expect 0 -- bash -c "ulimit -S -f 1048576; exec '$skein' run -p 2 -n 4 '$faults' nothing"
  ! grep -q 'ulimit' err || complain "a limit of file sizes that can be raised is told"
  expect 0 'limit of file sizes, 1G \(ulimit -f\)' '--arena private' -- \
    bash -c "ulimit -f 1048576; exec '$skein' run -p 2 -n 4 '$faults' nothing"
  expect 2 'limit of file sizes' '--arena shared' -- \
    bash -c "ulimit -f 1048576; exec '$skein' run -p 2 -n 4 --arena shared '$faults' nothing"

  # Files without end.
  if [[ -c /dev/zero ]]; then refused "map: /dev/zero sends rank 0 to PE ''" -- -p 2 -n 2 --map /dev/zero "$faults" nothing; fi
  refused "map: .* has at least 3 PE numbers.* 2 ranks" -- -p 1 -n 2 --map <(yes 0) "$faults" nothing
  expect 2 'SKEIN_MAP nosuch' -- env SKEIN_MAP=nosuch "$skein" run "$faults" nothing
  expect 2 'SKEIN_MAP: map sends rank 1' -- env SKEIN_MAP=map "$skein" run -p 2 -n 2 "$faults" nothing
  refused 'help takes no value' -- --help=1
  expect 2 "no command 'rnu'; did you mean run\?|no command 'rnu'" -- "$skein" help rnu
  expect 0 -- "$skein" help run
  grep -q 'usage: skein run' out || complain "skein help run is no help"

  # The same settings by variables, and counts that contradict the launcher.
  expect 2 "SKEIN_PES_PER_NODE is 'none', not a number of PEs" -- \
    env SKEIN_PES_PER_NODE=none "$skein" run -p 2 "$faults" nothing
  expect 2 "SKEIN_PES_PER_NODE is '0'" -- env SKEIN_PES_PER_NODE=0 "$skein" run -p 2 "$faults" nothing
  expect 2 "SKEIN_RANKS.*'none'" -- env SKEIN_RANKS=none "$skein" run "$faults" nothing
  expect 0 'SKEIN_RANK\b' -- env SKEIN_RANK=3 "$skein" run "$faults" nothing
  expect some '-p 3' -- "$mpiexec" -n 2 "$skein" run -p 3 -n 4 "$faults" nothing

  # A launcher that starts no PEs.
  expect 1 'ended with status 1 before a PE' "'false -n 2'" SKEIN_MPIEXEC -- \
    env SKEIN_MPIEXEC=false "$skein" run -p 2 "$faults" nothing
  expect 0 'no PE has reported' "'true -n 2'" SKEIN_MPIEXEC -- \
    env SKEIN_MPIEXEC=true "$skein" run -p 2 "$faults" nothing
  expect 2 "cannot start the MPI launcher '/no/such'" 'No such file' SKEIN_MPIEXEC -- \
    env SKEIN_MPIEXEC=/no/such "$skein" run -p 2 "$faults" nothing

  # The wrappers.
  expect 2 '-no-pie' -- "$skein" cc -no-pie main.c
  expect 2 '-static' -- "$skein" cc -static main.c
  expect 2 "unknown command 'rnu'" 'run' -- "$skein" rnu "$faults"
}

# libgfortran starts a thread for asynchronous files, and waits for the thread even if it was never started.
fortran_asynchronous() {
  cat >asynchronous.f90 <<'END'
program asynchronous
  implicit none
  integer :: numbers(100) = 7
  open(10, file='asynchronous.data', asynchronous='yes', form='unformatted', status='replace')
  write(10, asynchronous='yes') numbers
  wait(10)
end program
END
  "$skein" fc asynchronous.f90 -o asynchronous || complain "Fortran: does not compile"
  expect 1 'rank [01] tried to start a thread' "rank [01] on PE [01]: it waits for another thread.*asynchronous='yes'" -- \
    "$skein" run -p 2 -n 2 ./asynchronous
}

# killed: the last PE dies without a message. With one PE the user's own process dies, and the shell reports it.
killed() {
  local pes token
  for pes in 2 3; do
    token=skein-bad-input-$$-killed-$pes
    # 137 from Open MPI's launcher, 9 from MPICH's.
    expect some "PE $((pes - 1)), process [0-9]+, died .*status (137|9)\\): somebody has killed it" -- \
      "$skein" run -p "$pes" -n 5 "$faults" killed "$token"
    nobody_has "$token" || complain "killed on $pes PEs: a process is left behind: $(pgrep -af -- "$token")"
  done
}

# stopped SIGNAL: a signal to `skein run` alone ends the job quietly, as does its own sudden death.
stopped() {
  local signal=$1 token=skein-bad-input-$$-stopped-$1 tries
  cases=$((cases + 1))
  : >out  # before the loop below reads it
  "$skein" run -p 2 -n 5 "$faults" wait "$token" </dev/null >out 2>err &
  local job=$!
  for ((tries = 0; tries < 100; ++tries)); do
    grep -q 'said before' out && break
    sleep 0.1
  done
  kill -"$signal" "$job"
  wait "$job" 2>/dev/null && complain "stopped by $signal: exit status 0"
  grep -q 'skein' err && complain "stopped by $signal: a message"
  nobody_has "$token" || complain "stopped by $signal: a process is left behind: $(pgrep -af -- "$token")"
}

# ends STATUS HOW PATTERN... [-- OPTIONS...]: the job starts, rank 4 fails in the way HOW, and the job ends: on one PE, which
# is the user's own process, and on 2 or 3 PEs, taking turns from call to call. The runs are concurrent, since they mostly
# wait. ALONE=yes: on one PE only; the effect of a fault, and how others hear of the end, is the same for most ways.
several=3
ends() {
  local status=$1 how=$2 token=skein-bad-input-$$-$2 pes got
  shift 2
  local patterns=() jobs=()
  while (($#)) && [[ $1 != -- ]]; do
    patterns+=("$1")
    shift
  done
  (($#)) && shift
  several=$((5 - several))
  local counts="1 $several"
  [[ ! ${ALONE-} ]] || counts=1
  for pes in $counts; do
    timeout 60 "$skein" run -p "$pes" -n 5 "$@" "$faults" "$how" "$token-$pes" \
      </dev/null >"out.$pes" 2>"err.$pes" &
    jobs[pes]=$!
  done
  for pes in $counts; do
    got=0
    wait "${jobs[pes]}" || got=$?
    mv "out.$pes" out
    mv "err.$pes" err
    judge "$status" "${patterns[@]}" -- "$got" "$how on $pes PEs"
    grep -q 'said before the fault' out && grep -q 'and begun' out ||
      complain "$how on $pes PEs: what the program printed is lost"
    nobody_has "$token-$pes" || complain "$how on $pes PEs: a process is left behind: $(pgrep -af -- "$token-$pes")"
  done
}

# Output that Fortran's own library holds is not lost, either.
fortran_output() {
  cat >says.f90 <<'END'
program says
  use mpi
  implicit none
  integer :: rank, code
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  print '(a, i0)', 'said before the fault by ', rank
  call MPI_Barrier(MPI_COMM_WORLD, code)
  if (rank == 4) call MPI_Abort(MPI_COMM_WORLD, 9, code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
end program
END
  "$skein" fc says.f90 -o says || complain "Fortran: does not compile"
  expect 9 'rank 4 on PE [01]: MPI_Abort' -- "$skein" run -p 2 -n 5 ./says
  (($(grep -c 'said before the fault by [0-4]$' out) == 5)) || complain "Fortran: what the program printed is lost"
}

# A Fortran rank fails like any other, though Fortran's library wants to handle the signals.
fortran_faults() {
  cat >fails.f90 <<'END'
program fails
  use mpi
  implicit none
  integer :: rank, code
  integer, pointer :: nowhere
  character(8) :: how
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call get_command_argument(1, how)
  nullify(nowhere)
  if (rank == 1 .and. how == 'null') nowhere = 7
  if (rank == 1 .and. how == 'stack') call descend(0)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call MPI_Finalize(code)
contains
  recursive subroutine descend(depth)
    integer, intent(in) :: depth
    real(8) :: frame(3000)
    frame(1) = depth
    call descend(depth + 1)
    if (frame(1) < 0) print *, frame(1)
  end subroutine
end program
END
  "$skein" fc -g -fno-optimize-sibling-calls fails.f90 -o fails || complain "Fortran: does not compile"
  local pes
  for pes in 1 2; do
    expect 139 'rank 1 on PE [01]: segmentation fault at address (0x0|\(nil\))' 'fails\(main' -- \
      "$skein" run -p "$pes" -n 2 ./fails null
    expect 139 'rank 1 on PE [01]: its stack of 8192 KiB overflowed' '--stack-size' 'fails\(descend.*times' -- \
      "$skein" run -p "$pes" -n 2 ./fails stack
  done
}

# Calls of the program and its libraries are listed under readable names.
cxx_names() {
  cat >names.cpp <<'END'
#include <mpi.h>
#include <cstdlib>
#include <memory>
namespace app {
template <class T>
struct Cell {
  virtual ~Cell() = default;
  virtual void step(int times) {
    if (times > 0) return step(times - 1);
    MPI_Send(&where, 1, MPI_INT, 7, 0, MPI_COMM_WORLD);
  }
  T where = 0;
};
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::make_unique<app::Cell<double>>()->step(argc);
  MPI_Finalize();
}
END
  "$skein" cxx -g -O0 names.cpp -o names || complain "C++: does not compile"
  expect some 'MPI_Send: rank 7' 'names\(app::Cell<double>::step\(int\)\)' -- "$skein" run -p 1 -n 1 ./names
  ! grep -q 'skein(' err || complain "C++: calls inside the launcher are told"
}

# The heap that the C library finds spoilt may be its own, with the lock held for which any allocation would wait.
spoilt_heap() {
  cat >spoils.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
/* The end of the process's heap: sbrk() tells of the rank's own. */
static char* heap_end(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[500], *end = NULL;
  while (fgets(line, sizeof line, maps))
    if (strstr(line, "[heap]")) sscanf(line, "%*[^-]-%p", (void**)&end);
  fclose(maps);
  return end;
}
int main(int argc, char** argv) {
  int rank;
  char data[4000];
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("said by %d\n", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    memset(heap_end() - (1 << 19), 0x41, 1 << 19);
    for (int i = 0; i < 1000; i++) MPI_Isend(data, sizeof data, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
  }
  MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
END
  "$skein" cc -g spoils.c -o spoils || complain "C: does not compile"
  local pes start
  for pes in 1 2; do
    start=$SECONDS
    expect some 'rank 1 on PE [01]: (aborted|segmentation fault)' 'spoils\(main' -- "$skein" run -p "$pes" -n 2 ./spoils
    (($(grep -c '^said by' out) == 2)) || complain "spoilt heap: what the program printed is lost"
    ((SECONDS - start < 20)) || complain "spoilt heap: $((SECONDS - start)) seconds"
  done
}

# A core dump has the rank's memory, but not the rest of the arena, which is as large as the address space.
core_dumps() {
  command -v gdb >/dev/null && [[ $(</proc/sys/kernel/core_pattern) == core ]] || return 0
  ulimit -H -c | grep -q unlimited || return 0
  local how pes core
  for how in segfault abort; do
    [[ $how == abort ]] && pes=1 || pes=2
    rm -f core*
    expect some "rank 4 on PE [01]: (segmentation fault|abort)" -- \
      bash -c "ulimit -c unlimited; '$skein' run -p $pes -n 5 '$faults' $how"
    core=$(ls core* 2>/dev/null | head -n 1)
    [[ $core ]] || { complain "core dump of $how on $pes PEs: there is none"; continue; }
    (($(stat -c %s "$core") < 1 << 30)) || complain "core dump of $how: $(stat -c %s "$core") bytes"
    ! grep -q 'died without a word' err || complain "core dump of $how: the PE said no goodbye"
    gdb -q -batch -nx -ex 'set debuginfod enabled off' -ex backtrace "$skein" "$core" >out 2>err || true
    grep -qE 'fail \(how=.*"'"$how" out || complain "core dump of $how on $pes PEs: the rank's calls are not in it"
  done
}

# A rank arrives on a PE where its program can no longer be mapped.
overwritten_program() {
  cat >overwrites.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE* file = fopen(argv[0], "r+b");
    fseek(file, 0, SEEK_END);
    fputc(0, file);
    fclose(file);
  }
  MPI_Migrate();
  MPI_Finalize();
}
END
  "$skein" cc overwrites.c -o overwrites || complain "C: does not compile"
  expect 1 'rank [01] on PE [01]: it came from PE [01], and cannot go on here: .*overwrites was overwritten while' -- \
    "$skein" run -p 2 -n 2 --lb rotate --lb-period 1 ./overwrites
}

# 1000 ranks have all been on both PEs; a PE keeps the mappings of the 500 that are there, and of 256 more: at most six each
# (code, guard, read-only data). A rank sees its stack as its own.
mappings_of_departed() {
  cat >maps.c <<'END'
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, here, lines = 0;
  pthread_attr_t attributes;
  void* begin;
  size_t bytes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &bytes);
  if ((char*)&here < (char*)begin || (char*)&here >= (char*)begin + bytes) return 5;
  for (int i = 0; i < 3; i++) MPI_Migrate();
  if (rank == 0) {
    FILE* file = fopen("/proc/self/maps", "r");
    for (int c; (c = fgetc(file)) != EOF;) lines += c == '\n';
    fprintf(stderr, "%d mappings\n", lines);
    if (lines > 6 * (500 + 256) + 600) return 6;
  }
  MPI_Finalize();
  return 0;
}
END
  "$skein" cc maps.c -o maps || complain "C: does not compile"
  local arena
  for arena in shared private; do
    expect 0 'mappings' -- "$skein" run -p 2 -n 1000 --arena "$arena" --lb rotate --lb-period 1 ./maps
  done
}

test_faults() {
  local how who='rank 4 on PE [012]'
  ends 7 exit "$who: .*exit status 7"
  ALONE=yes ends 6 return "$who: .*exit status 6"
  ends some no-finalize "$who: .*without MPI_Finalize"
  ends 134 abort "$who: abort\(\)" 'faults\(main\)'
  ends 139 segfault "$who: segmentation fault at address 0x8" 'faults\(main\)'
  ALONE=yes ends 136 divide "$who: arithmetic exception" 'faults\(main\)'
  ALONE=yes ends 135 raise "$who: bus error, sent by process [0-9]+" 'faults\('
  ends 139 stack "$who: its stack of 64 KiB overflowed" '--stack-size' -- --stack-size 64K
  ALONE=yes ends 139 wild "$who: segmentation fault at address 0x" 'faults\(' -- --stack-size 64K
  # Frames and arrays larger than a page, with the usual stack of 8 MiB.
  for how in deep:128M array-20:128M endless:4G array-9:4G; do
    ALONE=yes ends 139 "${how%:*}" "$who: its stack of 8192 KiB overflowed" '--stack-size' -- --slot-size "${how#*:}"
  done
  expect 0 -- "$skein" run -p 2 -n 4 "$faults" operation-6
  expect 0 -- "$skein" run -p 2 -n 4 --slot-size 16M --stack-size 64K "$faults" operation-0
  expect 139 'rank [0-3] on PE [01]: the stack of 8192 KiB of a nonblocking collective overflowed.*--slot-size' -- \
    "$skein" run -p 2 -n 4 "$faults" operation-9
  expect 139 'rank [0-3] on PE [01]: segmentation fault at address 0x' -- "$skein" run -p 2 -n 4 "$faults" operation--8
  ends some heap 'rank 4: its slot is full' 'of 32.0 MiB' '--slot-size' -- --slot-size 32M
  ALONE=yes ends 134 smash 'stack smashing detected' "$who: aborted"
  ALONE=yes ends 134 free-twice "$who: 0x[0-9a-f]+ was given to free\(\) or realloc\(\): it was freed before" 'faults\('
  fortran_output
  fortran_asynchronous
  fortran_faults
  cxx_names
  spoilt_heap
  core_dumps
  overwritten_program
  mappings_of_departed
  killed
  stopped TERM
  stopped KILL
  ends 9 mpi-abort "$who: MPI_Abort with error code 9"
  ALONE=yes ends 1 mpi-abort-256 "$who: MPI_Abort with error code 256"
  ends some mpi-error "$who: MPI_Send: rank 5" 'MPI_ERR_RANK'
  ends some deadlock 'deadlock' 'rank 0 on PE 0: in a receive from rank 4 .*tag 77' \
    "$who: in a receive from rank 0 .*tag 123"
  export SKEIN_DEADLOCK_AFTER=0.2 # the rest of them sooner
  ends some deadlock-any "$who: in a receive from any rank .*any tag"
  ends some deadlock-probe "$who: in a probe for a message from any rank, tag 5"
  ends some deadlock-barrier "$who: in MPI_Barrier, for"
  SKEIN_PES_PER_NODE=1 ends some deadlock-barrier "$who: in MPI_Barrier, for"
  SKEIN_PES_PER_NODE=2 ends some deadlock-barrier "$who: in MPI_Barrier, for"
  expect some 'collective call across nodes has failed in the MPI underneath .*truncate.*--check' -- \
    env SKEIN_PES_PER_NODE=1 "$skein" run -p 2 -n 4 "$faults" unlike-counts
  expect some 'mismatched collectives: ranks of a PE .* bring 80 bytes, where others have 40|MPI_ERR_TRUNCATE' -- \
    env SKEIN_PES_PER_NODE=2 "$skein" run -p 4 -n 4 "$faults" unlike-counts 1
  expect some 'mismatched collectives on communicator MPI_COMM_WORLD of 4' -- \
    env SKEIN_PES_PER_NODE=1 "$skein" run --check -p 2 -n 4 "$faults" unlike-counts
  ends some deadlock-collective "$who: in MPI_Wait for a nonblocking collective: in MPI_Barrier, for rank [0-3]"
  ends some deadlock-sends "$who: in a send to rank 0 .*tag 9; the receiver keeps as much as --eager-memory allows"
  ends some deadlock-finalize "$who: in MPI_Finalize, for"
  ends some deadlock-split "$who: in the creation of a communicator, for rank [0-3] of the one that it comes from"
  ends some deadlock-several "$who: in MPI_Waitall, among others for a receive from rank 0, tag 7"
}

"test_$part"
echo "$cases cases, $failures failures"
((failures == 0))
