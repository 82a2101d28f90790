// SPDX-License-Identifier: Apache-2.0
// Fails in the way that the first argument names, on the last rank; the others wait for it.
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static volatile int depth_reached;

__attribute__((noinline)) static int recurse(int level) {
  volatile char frame[4096];
  frame[0] = (char)level;
  depth_reached = level;
  return level > 1 << 24 ? 0 : recurse(level + 1) + frame[0];
}

/// Touches one byte in each of its frames of 20 kB, which are larger than a page; recurses to `most_kb`, or
/// for ever.
__attribute__((noinline)) static int recurse_in_strides(int kb, int most_kb) {
  volatile char frame[20000];
  frame[0] = (char)kb;
  return kb > most_kb ? 0 : recurse_in_strides(kb + 20, most_kb) + frame[0];
}

/// Has an automatic array as large as `how` says in MiB, of which it writes only the lower end.
static void fill_an_array(const char* how) {
  const size_t bytes = (size_t)atoi(strchr(how, '-') + 1) << 20;
  volatile char array[bytes];
  for (size_t i = 0; i < bytes / 2; i += 1024) array[i] = 1;
  depth_reached = array[0];
}

/// Writes far from all memory in use: in the guard below a stack of so many bytes, in whose first pages the
/// caller runs.
static void write_below_stack(size_t stack_bytes) {
  volatile char* volatile below = (volatile char*)__builtin_frame_address(0) - stack_bytes;
  *below = 1;
}

static volatile int operation_mib;

/// An operation that uses so much of the stack of the collective that calls it; if negative, it writes so far
/// below.
static void use_stack(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  if (operation_mib < 0) write_below_stack((size_t)-operation_mib << 20);
  volatile char array[(size_t)operation_mib << 20];
  for (size_t i = sizeof array; i > 0; i -= 1024) array[i - 1] = 1;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

/// Makes a nonblocking collective with such an operation. Returns the number of ranks.
static int reduce_using(int mib) {
  int sum = 0, one = 1;
  MPI_Op op;
  MPI_Request request;
  operation_mib = mib;
  MPI_Op_create(use_stack, 1, &op);
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, 0, my_rank, &pair);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, pair, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Op_free(&op);
  MPI_Comm_free(&pair);
  return sum;
}

/// Overwrites what guards the return address. (volatile: compilers see through a plain pointer)
__attribute__((noinline)) static void smash_the_stack(void) {
  volatile char small[8];
  volatile char* volatile beyond = small;
  for (int i = 0; i < 64; ++i) beyond[i] = 1;
}

static void free_twice(void) {
  char* volatile block = malloc(100);
  free(block);
  free(block);
}

static void fill_the_heap(void) {
  for (;;) {
    char* block = malloc(1 << 20);
    if (!block) exit(1);
    memset(block, 1, 1 << 20);
  }
}

/// Waits in the way that `how` names for something that never comes.
static void wait_for_ever(const char* how) {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  if (!strcmp(how, "deadlock")) MPI_Recv(NULL, 0, MPI_INT, 0, 123, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "deadlock-any"))
    MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "deadlock-probe")) MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "deadlock-barrier")) MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(how, "deadlock-collective")) {
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  if (!strcmp(how, "deadlock-several")) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(NULL, 0, MPI_INT, i, 7, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  while (!strcmp(how, "deadlock-sends")) MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
  if (!strcmp(how, "deadlock-finalize")) MPI_Finalize();
  if (!strcmp(how, "deadlock-split")) MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &(MPI_Comm){MPI_COMM_NULL});
}

static void fail(const char* how) {
  if (!strcmp(how, "exit")) exit(7);
  if (!strcmp(how, "return")) return;
  if (!strcmp(how, "no-finalize")) exit(0);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "segfault")) *(volatile int*)8 = 1;
  if (!strcmp(how, "divide")) {
    volatile int zero = 0;
    zero = 7 / zero;
  }
  if (!strcmp(how, "raise")) raise(SIGBUS);
  if (!strcmp(how, "killed")) raise(SIGKILL);  // as the kernel does when memory runs out
  if (!strcmp(how, "wait")) sleep(600);
  if (!strcmp(how, "stack")) recurse(0);
  if (!strcmp(how, "deep")) recurse_in_strides(0, 16 * 1024);
  if (!strcmp(how, "endless")) recurse_in_strides(0, INT_MAX - 20);
  if (!strncmp(how, "array-", 6)) fill_an_array(how);
  if (!strcmp(how, "wild")) write_below_stack(64 << 10);
  if (!strcmp(how, "smash")) smash_the_stack();
  if (!strcmp(how, "free-twice")) free_twice();
  if (!strcmp(how, "heap")) fill_the_heap();
  if (!strcmp(how, "mpi-abort")) MPI_Abort(MPI_COMM_WORLD, 9);
  if (!strcmp(how, "mpi-abort-256")) MPI_Abort(MPI_COMM_WORLD, 256);  // a parent process sees 0 of it
  if (!strcmp(how, "mpi-error")) MPI_Send(NULL, 0, MPI_INT, rank_count, 0, MPI_COMM_WORLD);
  if (!strncmp(how, "deadlock", 8)) wait_for_ever(how);
  fprintf(stderr, "faults: unknown, or it did not fail: %s\n", how);
  exit(99);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc < 2) return 98;
  if (my_rank == 0) {
    printf("said before the fault\nand begun");  // must not be lost
    if (!strcmp(argv[1], "wait")) fflush(stdout);
    if (!strcmp(argv[1], "nothing")) fprintf(stderr, "%s\n", argv[1]);
  }
  if (!strcmp(argv[1], "nothing")) {
    MPI_Finalize();
    return 0;
  }
  if (!strcmp(argv[1], "barriers")) {
    for (int i = 0; i < 10; ++i) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
  }
  if (!strcmp(argv[1], "unlike-counts")) {
    long data[10] = {0};
    for (int i = 0; i < 20; ++i) MPI_Bcast(data, 10, MPI_LONG, 0, MPI_COMM_WORLD);
    // Argument 2: the number of ranks in a row; ranks of every second row have fewer elements.
    const int row = argc > 2 ? atoi(argv[2]) : rank_count / 2;
    MPI_Bcast(data, my_rank / row % 2 == 0 ? 10 : 5, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
  }
  if (!strncmp(argv[1], "operation-", 10)) {
    const int sum = reduce_using(atoi(argv[1] + 10));
    MPI_Finalize();
    return sum == rank_count ? 0 : 97;
  }
  // Settles the way that barriers take.
  for (int i = 0; !strcmp(argv[1], "deadlock-barrier") && i < 20; ++i) MPI_Barrier(MPI_COMM_WORLD);
  // The others know of rank 0's output: the fault comes after it.
  if (my_rank == 0)
    for (int rank = 1; rank < rank_count; ++rank) MPI_Send(NULL, 0, MPI_INT, rank, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (my_rank == rank_count - 1) {
    fail(argv[1]);
    if (!strcmp(argv[1], "return")) return 6;
  }
  MPI_Recv(NULL, 0, MPI_INT, rank_count - 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}
