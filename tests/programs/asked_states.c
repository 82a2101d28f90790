// SPDX-License-Identifier: Apache-2.0
// `asked_states HOW`: a program that asks for states of the job itself. HOW is
//
//     steps [FOLDER]   once in each of five steps, with messages under way; each state has to be in FOLDER
//
//     dies             as in steps, and rank 0 is killed once, after the third state
//
//     late             ranks come to the call one after the other, while those behind wait for messages
//
//     pinned           the first time while rank 1 has a socket, which no state can have
//
//     alone            rank 0 alone
//
//     signals          never, but rank 0 has a use for SIGUSR1 and waits for it
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { steps = 5, numbers = 5000 };

static double* mine;

static double number(int rank, int step) { return rank * 0.25 + step; }

static void check_state(const char* folder, int step) {
  char path[256];
  snprintf(path, sizeof path, "%s/state-%06d/manifest.json", folder, step + 1);
  CHECK(access(path, F_OK) == 0);
}

static void die_once(void) {
  const int made = open("died", O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (made >= 0) raise(SIGKILL);
}

/// One message of a step is sent before the state and received after it; the receive of another waits across
/// the state, and its message is sent after it.
static void step_with_state(int step, const char* folder, int dies) {
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  double early = number(my_rank, step), late = -early, came[2] = {0, 0};
  MPI_Request requests[2];
  MPI_Irecv(&came[1], 1, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&early, 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[1]);
  CHECK(MPIX_Checkpoint() == MPI_SUCCESS);
  if (folder) check_state(folder, step);
  if (dies && my_rank == 0 && step == 2) die_once();
  MPI_Send(&late, 1, MPI_DOUBLE, next, 2, MPI_COMM_WORLD);
  MPI_Recv(&came[0], 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(came[0] == number(before, step) && came[1] == -number(before, step));
  for (int i = 0; i < numbers; ++i) mine[i] += came[0];
}

static void take_steps(const char* folder, int dies) {
  mine = calloc(numbers, sizeof *mine);
  CHECK(mine);
  for (int step = 0; step < steps; ++step) {
    step_with_state(step, folder, dies);
    maybe_move();
    if (my_rank == 0) printf("step %d: %g\n", step, mine[step]);
  }
  const int before = (my_rank + rank_count - 1) % rank_count;
  for (int i = 0; i < numbers; ++i) CHECK(mine[i] == steps * before * 0.25 + steps * (steps - 1) / 2);
}

static void sleep_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/// Rank r comes to the state while the ranks above it still wait for messages, which are sent only later.
static void come_late(void) {
  for (int round = 0; round < 3; ++round) {
    int token = round;
    if (my_rank > 0) MPI_Recv(&token, 1, MPI_INT, my_rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(token == round);
    sleep_ms(100);
    if (my_rank + 1 < rank_count) MPI_Send(&token, 1, MPI_INT, my_rank + 1, 3, MPI_COMM_WORLD);
    CHECK(MPIX_Checkpoint() == MPI_SUCCESS);
  }
}

static void be_pinned(void) {
  const int descriptor = my_rank == 1 ? socket(AF_UNIX, SOCK_STREAM, 0) : -1;
  CHECK(my_rank != 1 || descriptor >= 0);
  CHECK(class_of(MPIX_Checkpoint()) == MPI_ERR_OTHER);
  if (my_rank == 1) close(descriptor);
  CHECK(MPIX_Checkpoint() == MPI_SUCCESS);
}

static volatile sig_atomic_t caught;
static void catch_signal(int signal) { caught = signal; }

static void wait_for_signal(void) {
  if (my_rank == 0) {
    CHECK(signal(SIGUSR1, catch_signal) != SIG_ERR);
    const int made = open("ready", O_CREAT | O_WRONLY, 0600);
    CHECK(made >= 0 && close(made) == 0);
  }
  for (int there = 0; !there;) {
    there = caught == SIGUSR1;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(argc > 1);
  const char* const how = argv[1];
  if (strcmp(how, "steps") == 0) take_steps(argc > 2 ? argv[2] : NULL, 0);
  if (strcmp(how, "dies") == 0) take_steps(NULL, 1);
  if (strcmp(how, "late") == 0) come_late();
  if (strcmp(how, "pinned") == 0) be_pinned();
  if (strcmp(how, "alone") == 0 && my_rank == 0) (void)MPIX_Checkpoint();
  if (strcmp(how, "alone") == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "signals") == 0) wait_for_signal();
  finish("asked_states");
}
