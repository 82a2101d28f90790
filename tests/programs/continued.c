// SPDX-License-Identifier: Apache-2.0
// `continued STEPS [FILE]`: computations of a job that is written to a file and goes on elsewhere. In each
// step ranks change numbers in their heaps by those of their neighbours, by messages that are under way over
// a sync point, by a part of the world, by random numbers, beside numbers that stay; and each writes a line
// into a file of its own, `continued.<rank>`. Rank 0 prints the result, bit by bit. With FILE all wait in the
// middle of the steps until that file exists, and rank 0 dies there if a file `die` exists, which it removes
// first: by the (s)egmentation fault, (a)bort or (d)ivision that its text begins with.
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { numbers = 20000, stride = 3, constants = 60000 };

static double* mine;       // the heap's
static uint64_t* fixed;    // the heap's, which no step changes
static double total;       // static
static MPI_Comm half;      // ranks of equal parity
static MPI_Datatype thin;  // every third number
static MPI_Request again;  // persistent
static double came[numbers / stride], ticket;

/// Numbers without any order: splitmix64, of Steele, Lea and Flood.
static uint64_t constant(uint64_t number) {
  uint64_t mixed = number * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

static uint64_t first_constant(void) { return (uint64_t)my_rank * constants + 1; }

static void make_objects(void) {
  fixed = malloc(constants * sizeof *fixed);
  for (uint64_t i = 0; i < constants; ++i) fixed[i] = constant(first_constant() + i);
  mine = malloc(numbers * sizeof *mine);
  for (int i = 0; i < numbers; ++i) mine[i] = my_rank + i * 1e-3;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
  MPI_Type_vector(numbers / stride, 1, stride, MPI_DOUBLE, &thin);
  MPI_Type_commit(&thin);
  MPI_Recv_init(&ticket, 1, MPI_DOUBLE, (my_rank + 1) % rank_count, 7, MPI_COMM_WORLD, &again);
  srand(1234 + (unsigned)my_rank);
}

static void change(int step) {
  const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
  MPI_Request receive, send;
  double sum = 0, given = step + my_rank * 0.5, extra = 0;
  // These receives are posted before the sync point: the first message is sent after it, the second before it
  // and received after it.
  MPI_Irecv(came, numbers / stride, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &receive);
  MPI_Start(&again);
  MPI_Isend(&given, 1, MPI_DOUBLE, before, 7, MPI_COMM_WORLD, &send);
  maybe_move();
  MPI_Send(mine, 1, thin, next, 1, MPI_COMM_WORLD);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  CHECK(ticket == step + next * 0.5);
  for (int i = 0; i < numbers / stride; ++i) mine[i] = mine[i] * 0.75 + came[i] * 0.25 + rand() * 1e-12;
  for (int i = 0; i < numbers; ++i) sum += mine[i];
  MPI_Allreduce(&sum, &extra, 1, MPI_DOUBLE, MPI_MAX, half);
  MPI_Allreduce(&extra, &total, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}

static volatile int zero;

__attribute__((noinline)) static void die_if_asked(void) {
  char how = 0;
  FILE* const file = fopen("die", "r");
  if (!file) return;
  CHECK(fread(&how, 1, 1, file) == 1 && fclose(file) == 0 && unlink("die") == 0);
  if (how == 's') *(volatile int*)(intptr_t)zero = 1;
  if (how == 'd') zero = (7 + zero) / zero;
  abort();
}

static void wait_for(const char* file) {
  for (int there = 0; !there;) {
    if (my_rank == 0) die_if_asked();
    if (my_rank == 0) there = access(file, F_OK) == 0;
    MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    maybe_move();
  }
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int steps = number_argument(argc, argv, 1, 20);
  const char* const file = argc > 2 ? argv[2] : NULL;
  char name[64];
  snprintf(name, sizeof name, "continued.%d", my_rank);
  FILE* const lines = fopen(name, "w");
  CHECK(lines);
  make_objects();
  const double began = MPI_Wtime();
  double last = began;
  for (int step = 0; step < steps; ++step) {
    change(step);
    const double now = MPI_Wtime();
    CHECK(now >= last);
    last = now;
    fprintf(lines, "%d %a\n", step, mine[step % numbers]);
    if (my_rank == 0) printf("step %d: %a\n", step, total);
    if (file && step == steps / 2) wait_for(file);
  }
  for (uint64_t i = 0; i < constants; ++i) CHECK(fixed[i] == constant(first_constant() + i));
  CHECK(fclose(lines) == 0);
  MPI_Comm_free(&half);
  MPI_Type_free(&thin);
  MPI_Request_free(&again);
  finish("continued");
}
