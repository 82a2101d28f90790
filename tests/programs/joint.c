// SPDX-License-Identifier: Apache-2.0
// `joint [ROUNDS]`: nonblocking and persistent collectives of members that move between start and completion;
// with `joint other-count` and `joint other-call`, of members that make different calls. In each round every
// rank starts some operations, moves, starts more, moves, and starts the rest, in parts that differ from rank
// to rank; so moves come when no, some or all members have started an operation. It uses several
// communicators, whose members are on different PEs; all ways of waiting; data of several types, on the
// stack, on the heap, in thread-local variables, in place, up to and beyond what goes without a fiber. Values
// follow from operation, rank and index.
#include <string.h>

#include "check.h"

enum { comms = 6, operations = 20, most = 200, kept = 6 };

typedef struct {
  MPI_Comm comm;
  int rank, size;
} Group;

typedef enum { BARRIER, ALLREDUCE, IN_PLACE, REDUCE, BCAST, STRIDED_BCAST, BY_FUNCTION, kinds } Kind;

/// An operation under way.
typedef struct {
  Kind kind;
  const Group* group;
  int number, count, root;
  double* in;
  double* out;
} Operation;

static unsigned mixed(unsigned a, unsigned b, unsigned c) {
  unsigned x = a * 2654435761u + b * 40503u + c * 69069u + 12345u;
  x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
  return x;
}

static double brought(const Operation* o, int rank, int i) { return (rank * 7 + o->number + i) % 1000; }
static double sum_of(const Operation* o, int i) {
  double sum = 0;
  for (int rank = 0; rank < o->group->size; ++rank) sum += brought(o, rank, i);
  return sum;
}

static void add(void* in, void* inout, int* n, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *n; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

static __thread double local_in[most], local_out[most];

/// Returns operation `k` of `round`: all members have the same kind, count and root. `on_stack` is room for
/// it.
static Operation operation(const Group* groups, int round, int k, double* on_stack) {
  Operation o;
  const unsigned r = mixed((unsigned)round, (unsigned)k, 1);
  static const int counts[] = {1, 2, 8, 9, 64, 128, 129, 200, 1, 3};
  o.kind = (Kind)(r % kinds);
  o.group = &groups[r / 16 % comms];
  o.number = round * 100 + k;
  o.count = counts[r / 256 % 10];
  o.root = (int)(r / 65536 % (unsigned)o.group->size);
  if (k == 0)
    o.in = local_in, o.out = local_out;
  else if (k % 2)
    o.in = on_stack, o.out = on_stack + 2 * most;
  else
    o.in = malloc(2 * most * sizeof(double)), o.out = malloc(2 * most * sizeof(double));
  const int there = k == 0 ? most : 2 * most;
  for (int i = 0; i < there; ++i) o.in[i] = brought(&o, o.group->rank, i), o.out[i] = -1;
  return o;
}

static void start(Operation* o, MPI_Request* request) {
  const Group* const g = o->group;
  switch (o->kind) {
    case BARRIER:
      MPI_Ibarrier(g->comm, request);
      break;
    case ALLREDUCE:
      MPI_Iallreduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, g->comm, request);
      break;
    case IN_PLACE:
      memcpy(o->out, o->in, (size_t)o->count * sizeof(double));
      MPI_Iallreduce(MPI_IN_PLACE, o->out, o->count, MPI_DOUBLE, MPI_SUM, g->comm, request);
      break;
    case REDUCE:
      MPI_Ireduce(o->in, o->out, o->count, MPI_DOUBLE, MPI_SUM, o->root, g->comm, request);
      break;
    case BCAST:
      if (g->rank == o->root) memcpy(o->out, o->in, (size_t)o->count * sizeof(double));
      MPI_Ibcast(o->out, o->count, MPI_DOUBLE, o->root, g->comm, request);
      break;
    case STRIDED_BCAST: {  // every other number, on odd ranks; freed while it is in use
      if (o->count > most / 2) o->count = most / 2;
      if (g->rank == o->root) memcpy(o->out, o->in, most * sizeof(double));
      MPI_Datatype type;
      MPI_Type_vector(o->count, 1, g->rank % 2 ? 2 : 1, MPI_DOUBLE, &type);
      MPI_Type_commit(&type);
      MPI_Ibcast(o->out, 1, type, o->root, g->comm, request);
      MPI_Type_free(&type);
      break;
    }
    default: {
      MPI_Op op;
      MPI_Op_create(add, 1, &op);
      MPI_Iallreduce(o->in, o->out, o->count, MPI_DOUBLE, op, g->comm, request);
      MPI_Op_free(&op);
    }
  }
}

static void check(const Operation* o) {
  const int rank = o->group->rank;
  const int step = o->kind == STRIDED_BCAST && rank % 2 ? 2 : 1;
  const int root_step = o->kind == STRIDED_BCAST && o->root % 2 ? 2 : 1;
  for (int i = 0; i < o->count; ++i) switch (o->kind) {
      case BARRIER:
        break;
      case REDUCE:
        CHECK(o->out[i] == (rank == o->root ? sum_of(o, i) : -1));
        break;
      case BCAST:
      case STRIDED_BCAST:
        CHECK(o->out[i * step] == brought(o, o->root, i * root_step));
        if (step == 2 && rank != o->root) CHECK(o->out[i * 2 + 1] == -1);
        break;
      default:
        CHECK(o->out[i] == sum_of(o, i));
    }
  if (o->kind != BARRIER && o->kind != STRIDED_BCAST && o->count < most &&
      !(o->kind == BCAST && rank == o->root))
    CHECK(o->out[o->count] == -1);
}

static void wait_for(MPI_Request* requests, int n, unsigned how) {
  int at, done, indices[operations + kept];
  switch (how % 6) {
    case 0:
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
      break;
    case 1:
      for (int i = n; i-- > 0;) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case 2:
      do MPI_Waitany(n, requests, &at, MPI_STATUS_IGNORE);
      while (at != MPI_UNDEFINED);
      break;
    case 3:
      do MPI_Waitsome(n, requests, &done, indices, MPI_STATUSES_IGNORE);
      while (done != MPI_UNDEFINED);
      break;
    case 4:
      do MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
      while (!done);
      break;
    default:
      for (int i = 0; i < n; ++i) do
          MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
        while (!done);
  }
}

/// Persistent operations, which each rank starts in an order of its own.
typedef struct {
  double in[kept], out[kept];
  MPI_Request requests[kept];
} Kept;

static void make_kept(Kept* p, const Group* g) {
  MPI_Barrier_init(g->comm, MPI_INFO_NULL, &p->requests[0]);
  MPI_Allreduce_init(&p->in[1], &p->out[1], 1, MPI_DOUBLE, MPI_SUM, g->comm, MPI_INFO_NULL, &p->requests[1]);
  MPI_Bcast_init(&p->out[2], 1, MPI_DOUBLE, g->size / 2, g->comm, MPI_INFO_NULL, &p->requests[2]);
  MPI_Allreduce_init(MPI_IN_PLACE, &p->out[3], 1, MPI_DOUBLE, MPI_MAX, g->comm, MPI_INFO_NULL,
                     &p->requests[3]);
  MPI_Reduce_init(&p->in[4], &p->out[4], 1, MPI_DOUBLE, MPI_SUM, 0, g->comm, MPI_INFO_NULL, &p->requests[4]);
  MPI_Bcast_init(&p->out[5], 1, MPI_DOUBLE, 0, g->comm, MPI_INFO_NULL, &p->requests[5]);
}
static void set_kept(Kept* p, const Group* g, int round) {
  for (int i = 0; i < kept; ++i) p->in[i] = p->out[i] = 10 * round + i + g->rank;
  p->out[1] = p->out[4] = -1;
}
static void check_kept(const Kept* p, const Group* g, int round) {
  const double sum = (10 * round) * (double)g->size + g->size * (g->size - 1) / 2;
  CHECK(p->out[1] == sum + g->size);
  CHECK(p->out[2] == 10 * round + 2 + g->size / 2);
  CHECK(p->out[3] == 10 * round + 3 + g->size - 1);
  CHECK(p->out[4] == (g->rank == 0 ? sum + 4 * g->size : -1));
  CHECK(p->out[5] == 10 * round + 5);
}

static void one_round(const Group* groups, Kept* all_kept, const Group* of_kept, int round) {
  Operation under_way[operations];
  MPI_Request requests[operations + kept];
  double on_stack[operations][4 * most];
  const unsigned mine = mixed((unsigned)round, (unsigned)my_rank, 2);
  // All members start operations in one order; each rank decides by itself which of them come before which
  // move.
  const int first = (int)(mine % (operations + 1)),
            second = first + (int)(mine / 64 % (unsigned)(operations + 1 - first));
  const int own_order = 1 + 4 * (int)(mine / 4096 % 2);  // has no divisor in common with `kept`
  int started_kept = 0;
  for (int k = 0; k < operations; ++k) under_way[k] = operation(groups, round, k, on_stack[k]);
  set_kept(all_kept, of_kept, round);
  for (int k = 0; k < operations; ++k) {
    if (k == first) maybe_move();
    if (k == second) maybe_move();
    start(&under_way[k], &requests[k]);
    if (k % 3 == 0 && started_kept < kept) {
      MPI_Start(&all_kept->requests[(started_kept * own_order + my_rank) % kept]);
      ++started_kept;
    }
    if (k % 5 == 4) {
      int done;
      MPI_Test(&requests[k - 2], &done, MPI_STATUS_IGNORE);
      if (done) check(&under_way[k - 2]);
    }
  }
  for (int moves = (first == operations) + (second == operations); moves > 0; --moves) maybe_move();
  while (started_kept < kept) {
    MPI_Start(&all_kept->requests[(started_kept * own_order + my_rank) % kept]);
    ++started_kept;
  }
  memcpy(&requests[operations], all_kept->requests, sizeof all_kept->requests);
  // Asking again and again takes long where PEs share cores.
  wait_for(requests, operations + kept, mine / 16384 % (round < 2 ? 6 : 4));
  for (int k = 0; k < operations; ++k) {
    check(&under_way[k]);
    if (k > 0 && k % 2 == 0) free(under_way[k].in), free(under_way[k].out);
  }
  check_kept(all_kept, of_kept, round);
}

/// Checks that no member has completed a barrier that another has not started.
static void not_too_early(const Group* g) {
  if (g->size < 2) return;
  MPI_Request request;
  int done = 0;
  if (g->rank == 0) {
    // By now all others have started it, and have found it incomplete.
    for (int i = 1; i < g->size; ++i)
      MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 5, g->comm, MPI_STATUS_IGNORE);
    MPI_Ibarrier(g->comm, &request);
  } else {
    MPI_Ibarrier(g->comm, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    CHECK(!done);
    maybe_move();
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    CHECK(!done);
    MPI_Send(NULL, 0, MPI_INT, 0, 5, g->comm);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
static void not_too_early_while_moving(const Group* g) {
  if (g->size < 2) return;
  if (g->rank == 0) maybe_move();
  not_too_early(g);
}

/// Frees a communicator with an operation under way, and makes another one after it.
static void freed_at_once(const Group* g) {
  for (int k = 0; k < 3; ++k) {
    MPI_Comm copy;
    MPI_Request request;
    double in = g->rank + k, out = -1;
    MPI_Comm_dup(g->comm, &copy);
    MPI_Iallreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, copy, &request);
    MPI_Comm_free(&copy);
    maybe_move();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(out == g->size * (g->size - 1) / 2 + k * g->size);
  }
}

/// Has more operations under way than the runtime looks through at once.
static void many_at_once(const Group* g) {
  enum { many = 500 };
  static int in[many], out[many];
  static MPI_Request requests[many];
  for (int k = 0; k < many; ++k) {
    in[k] = g->rank * k + 1;
    MPI_Iallreduce(&in[k], &out[k], 1, MPI_INT, MPI_SUM, g->comm, &requests[k]);
    if (k == many / 2) maybe_move();
  }
  MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
  for (int k = 0; k < many; ++k) CHECK(out[k] == g->size * (g->size - 1) / 2 * k + g->size);
}

static void errors(const Group* g) {
  MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN);
  MPI_Request request, copy;
  MPI_Status status;
  // While it is under way it can be neither freed nor cancelled.
  if (g->size > 1) {
    if (g->rank > 0) {
      MPI_Ibarrier(g->comm, &request);
      copy = request;
      CHECK(class_of(MPI_Request_free(&copy)) == MPI_ERR_REQUEST);
      CHECK(class_of(MPI_Cancel(&request)) == MPI_ERR_REQUEST);
      MPI_Send(NULL, 0, MPI_INT, 0, 6, g->comm);
    } else {
      for (int i = 1; i < g->size; ++i)
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 6, g->comm, MPI_STATUS_IGNORE);
      MPI_Ibarrier(g->comm, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
  }
  // A rank that wants less than the root has gets an error.
  int data[8] = {0};
  if (g->rank == 0)
    for (int i = 0; i < 8; ++i) data[i] = i + 1;
  MPI_Ibcast(data, g->rank == 0 ? 8 : 4, MPI_INT, 0, g->comm, &request);
  const int code = MPI_Wait(&request, &status);
  CHECK(g->rank == 0 ? code == MPI_SUCCESS : class_of(code) == MPI_ERR_TRUNCATE);
  CHECK(data[3] == 4 && data[4] == (g->rank == 0 ? 5 : 0));
  // Once complete, a persistent operation is inactive, and may be freed or started.
  MPI_Barrier_init(g->comm, MPI_INFO_NULL, &request);
  for (int k = 0; k < 3; ++k) {
    MPI_Start(&request);
    CHECK(class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
    CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS && request != MPI_REQUEST_NULL);
  }
  CHECK(MPI_Request_free(&request) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
  MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_ARE_FATAL);
}

static Group group_of(MPI_Comm comm) {
  Group g = {comm, 0, 0};
  MPI_Comm_rank(comm, &g.rank);
  MPI_Comm_size(comm, &g.size);
  return g;
}

/// The last member passes more than the others: the job ends, and says why.
static void mismatch(int is_other_call) {
  int in[2] = {1, 1}, out[2];
  MPI_Request request;
  const int is_last = my_rank == rank_count - 1;
  if (is_last && is_other_call)
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
  else
    MPI_Iallreduce(in, out, is_last ? 2 : 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  if (argc > 1 && strncmp(argv[1], "other-", 6) == 0) mismatch(!strcmp(argv[1], "other-call"));
  MPI_Comm backwards, halves, threes, few;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -my_rank, &backwards);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &halves);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank / 3, my_rank, &threes);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 5, my_rank, &few);
  const Group groups[comms] = {group_of(MPI_COMM_WORLD), group_of(backwards),     group_of(halves),
                               group_of(threes),         group_of(MPI_COMM_SELF), group_of(few)};
  const Group* const of_kept = &groups[1];
  Kept all_kept;
  make_kept(&all_kept, of_kept);
  const int rounds = number_argument(argc, argv, 1, 6);
  for (int round = 0; round < rounds; ++round) one_round(groups, &all_kept, of_kept, round);
  for (int i = 0; i < kept; ++i) MPI_Request_free(&all_kept.requests[i]);
  not_too_early_while_moving(&groups[0]);
  for (int k = 0; k < comms; ++k) freed_at_once(&groups[k]);
  many_at_once(&groups[1]);
  for (int k = 0; k < 4; ++k) errors(&groups[k]);
  MPI_Comm_free(&backwards);
  MPI_Comm_free(&halves);
  MPI_Comm_free(&threes);
  MPI_Comm_free(&few);
  finish("joint");
  return 0;
}
