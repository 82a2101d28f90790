// SPDX-License-Identifier: Apache-2.0
// `pending [ROUNDS]`: ranks move while receives and sends are under way, and derived types, communicators,
// attributes, groups, operations and error handlers are alive.
#include <stddef.h>

#include "check.h"

enum { shapes = 4, moves_meanwhile = 3, most_ints = 100000 };

static int right, left;
static int const ints_of[shapes] = {1, 900, 20000, most_ints};  // eager on a PE, between PEs, and by fetching

// ---- objects that are alive

static MPI_Comm world_copy, ring;
static MPI_Datatype every_third, pair_type;
static MPI_Op combine;
static MPI_Group reversed;
static MPI_Errhandler counting_handler;
static int keyval, errors_seen, attribute_deletions;

struct Pair {
  double value;
  int index;
};

static void larger_of_pairs(void* in, void* in_out, int* count, MPI_Datatype* type) {
  (void)type;
  const struct Pair* a = in;
  struct Pair* b = in_out;
  for (int i = 0; i < *count; ++i)
    if (a[i].value > b[i].value) b[i] = a[i];
}

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++errors_seen;
}

static int copy_attribute(MPI_Comm comm, int key, void* extra, void* value, void* new_value, int* keep) {
  (void)comm;
  (void)key;
  CHECK(extra == &keyval);
  const int* old = value;
  int* fresh = malloc(sizeof *fresh);
  *fresh = *old + 1;
  *(int**)new_value = fresh;
  *keep = 1;
  return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm;
  (void)key;
  CHECK(extra == &keyval);
  free(value);
  ++attribute_deletions;
  return MPI_SUCCESS;
}

static void create_objects(void) {
  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, &keyval);
  int* value = malloc(sizeof *value);
  *value = my_rank * 10;
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value);
  maybe_move();
  MPI_Comm_dup(MPI_COMM_WORLD, &world_copy);
  MPI_Comm_create_errhandler(count_error, &counting_handler);
  MPI_Comm_set_errhandler(world_copy, counting_handler);

  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{rank_count - 1, 0, -1}};
  MPI_Group_range_incl(world, 1, range, &reversed);
  MPI_Group_free(&world);

  const int dims[1] = {rank_count}, periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);

  MPI_Type_vector(most_ints, 1, 3, MPI_INT, &every_third);
  MPI_Type_commit(&every_third);
  const int lengths[2] = {1, 1};
  const MPI_Aint at[2] = {offsetof(struct Pair, value), offsetof(struct Pair, index)};
  const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Datatype packed;
  MPI_Type_create_struct(2, lengths, at, types, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(struct Pair), &pair_type);
  MPI_Type_free(&packed);
  MPI_Type_commit(&pair_type);
  MPI_Op_create(larger_of_pairs, 1, &combine);
}

static void check_objects(void) {
  int found, *value;
  MPI_Comm_get_attr(world_copy, keyval, &value, &found);
  CHECK(found && *value == my_rank * 10 + 1);

  int rank, source, target;
  MPI_Cart_shift(ring, 0, 1, &source, &target);
  MPI_Comm_rank(ring, &rank);
  CHECK(rank == my_rank && source == left && target == right);

  MPI_Group_rank(reversed, &rank);
  CHECK(rank == rank_count - 1 - my_rank);

  int size;
  MPI_Aint lower, extent;
  MPI_Type_size(every_third, &size);
  MPI_Type_get_extent(pair_type, &lower, &extent);
  CHECK(size == most_ints * (int)sizeof(int) && lower == 0 && extent == sizeof(struct Pair));

  struct Pair mine[2] = {{my_rank, 1}, {5, 2}}, other[2] = {{3, 4}, {6, 7}};
  MPI_Reduce_local(mine, other, 2, pair_type, combine);
  CHECK(other[0].value == (my_rank > 3 ? my_rank : 3) && other[1].value == 6 && other[1].index == 7);

  const int before = errors_seen;
  MPI_Send(NULL, 0, MPI_INT, rank_count + 5, 0, world_copy);
  CHECK(errors_seen == before + 1);
}

static void free_objects(void) {
  MPI_Errhandler_free(&counting_handler);
  MPI_Group_free(&reversed);
  MPI_Comm_free(&ring);
  MPI_Type_free(&every_third);
  MPI_Type_free(&pair_type);
  MPI_Op_free(&combine);
  MPI_Comm_free(&world_copy);
  CHECK(attribute_deletions == 1);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  CHECK(attribute_deletions == 2);
  MPI_Comm_free_keyval(&keyval);
  CHECK(keyval == MPI_KEYVAL_INVALID);
}

// ---- messages under way

static int element(int sender, int round, int shape, int i) {
  return sender * 31 + round * 17 + shape * 5 + i;
}

static void* allocate_ints(int n) {
  int* data = malloc(sizeof(int) * (size_t)n);
  for (int i = 0; i < n; ++i) data[i] = -1;
  return data;
}

/// Starts the operations that `first` names before those of the other side, so that each kind waits for its
/// partner over several moves: 0 all receives, 1 all sends, 2 half of each.
static void messages(int round, int first) {
  MPI_Request requests[4 * shapes];
  int *in[shapes], *out[shapes], *spread_in[shapes], *spread_out[shapes];
  int started = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int s = 0; s < shapes; ++s) {
      const int n = ints_of[s];
      const int receives_now = first == 0 ? pass == 0 : first == 1 ? pass == 1 : (s % 2 == pass);
      if (receives_now) {
        in[s] = allocate_ints(n);
        spread_in[s] = allocate_ints(3 * n);
        MPI_Datatype spread;
        MPI_Type_vector(n, 1, 3, MPI_INT, &spread);
        MPI_Type_commit(&spread);
        MPI_Irecv(in[s], n, MPI_INT, s % 2 ? left : MPI_ANY_SOURCE, 100 + s, world_copy,
                  &requests[started++]);
        MPI_Irecv(spread_in[s], 1, spread, left, 200 + s, ring, &requests[started++]);
        MPI_Type_free(&spread);  // the messages under way keep it
      } else {
        out[s] = allocate_ints(n);
        spread_out[s] = allocate_ints(3 * n);
        for (int i = 0; i < n; ++i) {
          out[s][i] = element(my_rank, round, s, i);
          spread_out[s][3 * i] = element(my_rank, round, s, 2 * i);
        }
        MPI_Datatype spread;
        MPI_Type_vector(n, 1, 3, MPI_INT, &spread);
        MPI_Type_commit(&spread);
        MPI_Isend(out[s], n, MPI_INT, right, 100 + s, world_copy, &requests[started++]);
        if (s % 2)
          MPI_Issend(spread_out[s], 1, spread, right, 200 + s, ring, &requests[started++]);
        else
          MPI_Isend(spread_out[s], 1, spread, right, 200 + s, ring, &requests[started++]);
        MPI_Type_free(&spread);
      }
      if (s == 1) maybe_move();
    }
    for (int i = 0; i < moves_meanwhile; ++i) maybe_move();
    check_objects();
  }
  CHECK(started == 4 * shapes);
  MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
  for (int s = 0; s < shapes; ++s) {
    for (int i = 0; i < ints_of[s]; ++i) {
      CHECK(in[s][i] == element(left, round, s, i));
      CHECK(spread_in[s][3 * i] == element(left, round, s, 2 * i));
      CHECK(spread_in[s][3 * i + 1] == -1 && spread_in[s][3 * i + 2] == -1);
    }
    free(in[s]);
    free(out[s]);
    free(spread_in[s]);
    free(spread_out[s]);
  }
}

/// Checks that a communicator which is freed while messages on it are under way stays until they have
/// arrived.
static void freed_communicator(int round) {
  MPI_Comm brief;
  MPI_Comm_dup(MPI_COMM_WORLD, &brief);
  int out = element(my_rank, round, 0, 0), in = -1;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, left, 1, brief, &requests[0]);
  maybe_move();
  MPI_Isend(&out, 1, MPI_INT, right, 1, brief, &requests[1]);
  MPI_Comm_free(&brief);
  CHECK(brief == MPI_COMM_NULL);
  maybe_move();
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in == element(left, round, 0, 0));
}

/// Forwards messages around a ring of ranks that keep moving, with a receive always pending.
static void relay(int hops) {
  int token = my_rank, next;
  for (int hop = 0; hop < hops; ++hop) {
    MPI_Request receive;
    MPI_Irecv(&next, 1, MPI_INT, left, 300, MPI_COMM_WORLD, &receive);
    maybe_move();
    MPI_Send(&token, 1, MPI_INT, right, 300, MPI_COMM_WORLD);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    token = next;
  }
  CHECK(token == ((my_rank - hops) % rank_count + rank_count) % rank_count);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 6);
  right = (my_rank + 1) % rank_count;
  left = (my_rank + rank_count - 1) % rank_count;
  create_objects();
  for (int round = 0; round < rounds; ++round) {
    messages(round, round % 3);
    freed_communicator(round);
    relay(20);
  }
  attribute_deletions = 0;  // those of the brief communicators
  free_objects();
  finish("pending");
  return 0;
}
