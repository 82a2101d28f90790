// SPDX-License-Identifier: Apache-2.0
// matching FEW MANY: the time of a message while FEW or MANY others are outstanding, on ranks 0 and 1. Prints
// lines: how they are outstanding, their number, nanoseconds a message (its receive and its send included).
//
//   tags                   posted receives, each with its own tag; messages come in the opposite order
//   any_source             like tags, from any source
//   any_tag                posted receives whose tags no message has yet, and behind them one with any tag;
//                          the time includes its answer
//   any                    like any_tag, half of the receives from any source
//   unexpected             messages that came before their receives, which take them in the opposite order
//   unexpected_any_source  like unexpected, by receives from any source
//   unexpected_any_tag     messages on one communicator, and receives with any tag on another one
//   unexpected_any         like unexpected_any_tag, by receives from any source
#include "timing.h"

typedef struct {
  int rank, count;
  int source;  ///< of the receives
  MPI_Comm other;
  MPI_Request* requests;
} Queue;

static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); }

/// Returns the least seconds of several runs of `once`, each of which returns its time.
static double least(double (*once)(const Queue*), const Queue* q, int runs) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const double seconds = once(q);
    if (seconds < best) best = seconds;
  }
  return best;
}

static double posted(const Queue* q) {
  const double start = MPI_Wtime();
  if (q->rank == 0)
    for (int i = 0; i < q->count; ++i)
      MPI_Irecv(NULL, 0, MPI_BYTE, q->source, i, MPI_COMM_WORLD, &q->requests[i]);
  meet();
  if (q->rank == 1)
    for (int i = q->count; i-- > 0;) MPI_Send(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
  if (q->rank == 0) MPI_Waitall(q->count, q->requests, MPI_STATUSES_IGNORE);
  meet();
  return MPI_Wtime() - start;
}

static double unexpected(const Queue* q) {
  const double start = MPI_Wtime();
  if (q->rank == 1)
    for (int i = 0; i < q->count; ++i) MPI_Send(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
  meet();
  if (q->rank == 0)
    for (int i = q->count; i-- > 0;)
      MPI_Recv(NULL, 0, MPI_BYTE, q->source, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  meet();
  return MPI_Wtime() - start;
}

enum { messages = 2000 };

/// Sends messages on a communicator, with tags from `first_tag`, received with any tag one by one.
static double exchange(const Queue* q, MPI_Comm comm, int first_tag) {
  MPI_Request request;
  meet();
  const double start = MPI_Wtime();
  for (int i = 0; i < messages; ++i) {
    if (q->rank == 0) MPI_Irecv(NULL, 0, MPI_BYTE, q->source, MPI_ANY_TAG, comm, &request);
    if (q->rank == 0) MPI_Send(NULL, 0, MPI_BYTE, 1, 0, comm);
    if (q->rank == 1) MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, comm, MPI_STATUS_IGNORE);
    if (q->rank == 1) MPI_Send(NULL, 0, MPI_BYTE, 0, first_tag + i, comm);
    if (q->rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  meet();
  return (MPI_Wtime() - start) / (2.0 * messages);
}

/// Runs exchange() behind `count` receives that were posted before and that no message matches yet, half of
/// them from any source if the others are.
static double behind_posted(const Queue* q) {
  if (q->rank == 0)
    for (int i = 0; i < q->count; ++i)
      MPI_Irecv(NULL, 0, MPI_BYTE, i % 2 ? q->source : 1, i, MPI_COMM_WORLD, &q->requests[i]);
  const double seconds = exchange(q, MPI_COMM_WORLD, q->count);
  if (q->rank == 1)
    for (int i = q->count; i-- > 0;) MPI_Send(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
  if (q->rank == 0) MPI_Waitall(q->count, q->requests, MPI_STATUSES_IGNORE);
  return seconds;
}
/// Runs exchange() while as many messages wait on another communicator.
static double behind_unexpected(const Queue* q) {
  if (q->rank == 1)
    for (int i = 0; i < q->count; ++i) MPI_Send(NULL, 0, MPI_BYTE, 0, i, MPI_COMM_WORLD);
  const double seconds = exchange(q, q->other, 0);
  if (q->rank == 0)
    for (int i = 0; i < q->count; ++i) MPI_Recv(NULL, 0, MPI_BYTE, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return seconds;
}

static void measure(Queue* q, const char* name, double (*once)(const Queue*), int source) {
  q->source = source;
  const int all = once == posted || once == unexpected;
  const int runs = all ? 5 + 20000 / q->count / 10 : 5;
  const double seconds = least(once, q, runs);
  print_row(name, (size_t)q->count, all ? seconds / q->count : seconds);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Queue q;
  MPI_Comm_rank(MPI_COMM_WORLD, &q.rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &q.other);
  for (int i = 1; i < argc; ++i) {
    q.count = atoi(argv[i]);
    q.requests = malloc((size_t)q.count * sizeof *q.requests);
    measure(&q, "tags", posted, 1);
    measure(&q, "any_source", posted, MPI_ANY_SOURCE);
    measure(&q, "any_tag", behind_posted, 1);
    measure(&q, "any", behind_posted, MPI_ANY_SOURCE);
    measure(&q, "unexpected", unexpected, 1);
    measure(&q, "unexpected_any_source", unexpected, MPI_ANY_SOURCE);
    measure(&q, "unexpected_any_tag", behind_unexpected, 1);
    measure(&q, "unexpected_any", behind_unexpected, MPI_ANY_SOURCE);
    free(q.requests);
  }
  MPI_Comm_free(&q.other);
  MPI_Finalize();
  return 0;
}
