// SPDX-License-Identifier: Apache-2.0
// `pausing`: steps, until a file `over` exists. Between the fourth step and the fifth rank 0 makes a file
// `ready` and waits for a file `go`, while no rank is in a sync point. It makes `passed` when twenty more
// steps are over. Prints numbers that do not depend on how many steps there were.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int exists(const char* file) { return access(file, F_OK) == 0; }
static void make(const char* file) {
  const int made = open(file, O_CREAT | O_WRONLY, 0600);
  CHECK(made >= 0 && close(made) == 0);
}
static void rest(void) {
  const struct timespec a_while = {0, 5000000};
  nanosleep(&a_while, NULL);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int right = (my_rank + 1) % rank_count, left = (my_rank + rank_count - 1) % rank_count;
  int over = 0;
  volatile double sum = 0;
  for (int step = 1; !over; ++step) {
    for (int i = 0; i < 20000 * (my_rank + 1); ++i) sum += i;
    int sent = 1000 * step + my_rank, heard = 0;
    MPI_Sendrecv(&sent, 1, MPI_INT, right, 1, &heard, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(heard == 1000 * step + left);
    if (my_rank == 0 && step == 25) make("passed");
    over = my_rank == 0 && exists("over");
    MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (step == 5) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (my_rank == 0)
        for (make("ready"); !exists("go");) rest();
      MPI_Barrier(MPI_COMM_WORLD);
    }
    if (my_rank == 0) rest();
    MPI_Migrate();
  }
  printf("rank %d has come to its end\n", my_rank);
  finish("pausing");
}
