// SPDX-License-Identifier: Apache-2.0
// `pinned`: rank 0 holds a socket for a while, then a stream that converts character sets, and so stays on
// its PE, while the others move at each call: with two or more PEs under --lb rotate --lb-period 1.
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

enum { steps = 6 };

static int pe(void) {
  int *number, found = 0;
  CHECK(MPI_Comm_get_attr(MPI_COMM_WORLD, AMPI_MY_PROCESS, &number, &found) == MPI_SUCCESS && found);
  return *number;
}

/// Returns how often this rank changes its process in `steps` moves.
static int moves(void) {
  int moved = 0;
  for (int step = 0; step < steps; ++step) {
    const int before = pe();
    maybe_move();
    moved += pe() != before;
  }
  return moved;
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  int ends[2] = {-1, -1};
  CHECK(moves() == steps);
  if (my_rank == 0) CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  CHECK(moves() == (my_rank == 0 ? 0 : steps));
  if (my_rank == 0) {
    char text[6] = "";
    CHECK(write(ends[0], "works", 6) == 6 && read(ends[1], text, 6) == 6 && text[0] == 'w' && text[4] == 's');
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
  }
  CHECK(moves() == steps);
  FILE* stream = NULL;
  if (my_rank == 0) CHECK((stream = fopen("/dev/null", "w,ccs=UTF-8")) != NULL);
  CHECK(moves() == (my_rank == 0 ? 0 : steps));
  if (my_rank == 0) CHECK(fclose(stream) == 0);
  CHECK(moves() == steps);
  finish("pinned");
  return 0;
}
