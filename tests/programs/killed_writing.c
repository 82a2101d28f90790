// SPDX-License-Identifier: Apache-2.0
// Rank 1 is killed while it sends: its buffer ends where unreadable memory begins, so the runtime has copied
// a part of the message when SIGKILL comes, which no process can handle. Rank 0, on another PE, looks for the
// message as long as the job lasts.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { sound = 20, readable = 512, bytes = 1024 };

static void die(int signal_number) {
  (void)signal_number;
  kill(getpid(), SIGKILL);
}

static void send_half(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char* const pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
  memset(pages, 1, 2 * page);
  char* const half = pages + page - readable;
  // First some whole messages, so that the last does not begin where the memory is new.
  for (int i = 0; i < sound; ++i) MPI_Send(half, bytes, MPI_BYTE, 0, i, MPI_COMM_WORLD);
  if (mprotect(pages + page, page, PROT_NONE) != 0) MPI_Abort(MPI_COMM_WORLD, 4);
  signal(SIGSEGV, die);
  MPI_Send(half, bytes, MPI_BYTE, 0, sound, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) send_half();
  if (rank == 0) {
    char data[bytes];
    for (int i = 0; i < sound; ++i) {
      MPI_Recv(data, bytes, MPI_BYTE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < bytes; ++k)
        if (data[k] != 1) MPI_Abort(MPI_COMM_WORLD, 5);
    }
    puts("the whole ones have come");
    fflush(stdout);
    for (;;) {
      int there = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
      if (!there) continue;
      puts("half a message has come");
      fflush(stdout);
      MPI_Abort(MPI_COMM_WORLD, 6);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
