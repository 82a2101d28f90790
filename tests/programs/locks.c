// SPDX-License-Identifier: Apache-2.0
// `locks [ROUNDS]`: locks on files, by flock(), fcntl() and lockf(), in the working directory. Ranks exclude
// each other like processes, on one PE or on several, and keep their locks when they move.
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "check.h"

enum { flock_kind, fcntl_kind, lockf_kind, kinds };

/// Returns 0, or -1 with errno if another rank has the lock; with `wait` it waits for the lock instead.
static int lock(int kind, int file, int wait) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (kind == flock_kind) return flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
  if (kind == fcntl_kind) return fcntl(file, wait ? F_SETLKW : F_SETLK, &whole);
  CHECK(lseek(file, 0, SEEK_SET) == 0);
  return lockf(file, wait ? F_LOCK : F_TLOCK, 0);
}

static void unlock(int kind, int file) {
  struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  if (kind == flock_kind) CHECK(flock(file, LOCK_UN) == 0);
  if (kind == fcntl_kind) CHECK(fcntl(file, F_SETLK, &whole) == 0);
  if (kind == lockf_kind) CHECK(lseek(file, 0, SEEK_SET) == 0 && lockf(file, F_ULOCK, 0) == 0);
}

static int open_file(const char* what, int kind, int owner) {
  char name[64];
  snprintf(name, sizeof name, "locks.%s.%d.%d", what, kind, owner);
  const int file = open(name, O_RDWR | O_CREAT, 0600);
  CHECK(file >= 0);
  return file;
}

/// Every rank holds a lock of its own while all move, and is refused that of the rank above.
static void held_across_moves(int kind, int rounds) {
  const int mine = open_file("held", kind, my_rank);
  const int above = open_file("held", kind, (my_rank + 1) % rank_count);
  CHECK(lock(kind, mine, 0) == 0);
  for (int round = 0; round < rounds; ++round) {
    maybe_move();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_count > 1) {
      CHECK(lock(kind, above, 0) == -1 && (errno == EAGAIN || errno == EACCES));
      struct flock asked = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
      if (kind == fcntl_kind) CHECK(fcntl(above, F_GETLK, &asked) == 0 && asked.l_type == F_WRLCK);
      if (kind == lockf_kind) CHECK(lockf(above, F_TEST, 0) == -1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  unlock(kind, mine);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(lock(kind, above, 0) == 0);
  CHECK(close(above) == 0 && close(mine) == 0);
}

/// Every rank adds one to a number in a file, under a lock for which others wait meanwhile.
static void one_at_a_time(int kind, int rounds) {
  const int file = open_file("counter", kind, 0);
  if (my_rank == 0) CHECK(ftruncate(file, 0) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  int number, flag;
  for (int round = 0; round < rounds; ++round) {
    CHECK(lock(kind, file, 1) == 0);
    if (pread(file, &number, sizeof number, 0) == 0) number = 0;
    for (int i = 0; i < 3; ++i)  // others run, if they can
      MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    ++number;
    CHECK(pwrite(file, &number, sizeof number, 0) == sizeof number);
    unlock(kind, file);
    maybe_move();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(pread(file, &number, sizeof number, 0) == sizeof number && number == rounds * rank_count);
  CHECK(close(file) == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 20);
  for (int kind = 0; kind < kinds; ++kind) {
    held_across_moves(kind, rounds);
    one_at_a_time(kind, rounds);
  }
  finish("locks");
  return 0;
}
