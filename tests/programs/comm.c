// SPDX-License-Identifier: Apache-2.0
// Communicators and groups, created and used while ranks move; every expected answer follows from the world
// rank.
#include <string.h>

#include "check.h"

/// Sends a message from each rank of `comm` to the next: `comm` must deliver to the right ranks and keep
/// contexts apart.
static void check_ring(MPI_Comm comm, int tag_value) {
  int rank, size, got = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int sent = tag_value * 1000 + rank;
  MPI_Request receive;
  MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, 1, comm, &receive);
  MPI_Send(&sent, 1, MPI_INT, (rank + 1) % size, 1, comm);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  CHECK(got == tag_value * 1000 + (rank + size - 1) % size);
}

static int comparison(MPI_Comm a, MPI_Comm b) {
  int result;
  MPI_Comm_compare(a, b, &result);
  return result;
}

/// Checks the world rank of each member of `comm`, in its order.
static void check_members(MPI_Comm comm, int size, int (*world_rank_of)(int rank)) {
  int actual;
  MPI_Comm_size(comm, &actual);
  CHECK(actual == size);
  MPI_Group group, world;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (int rank = 0; rank < size; ++rank) {
    int in_world;
    MPI_Group_translate_ranks(group, 1, &rank, world, &in_world);
    CHECK(in_world == world_rank_of(rank));
  }
  MPI_Group_free(&group);
  MPI_Group_free(&world);
}

static int third(int rank) { return 3 * rank + my_rank % 3; }
static int backwards(int rank) { return rank_count - 1 - rank; }
static int even(int rank) { return 2 * rank; }
static int same(int rank) { return rank; }

static int count_with_remainder(int divisor, int remainder) {
  return (rank_count - remainder + divisor - 1) / divisor;
}

static void splits(void) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 3, my_rank, &part);
  maybe_move();
  check_members(part, count_with_remainder(3, my_rank % 3), third);
  check_ring(part, my_rank % 3);
  MPI_Comm_free(&part);

  MPI_Comm_split(MPI_COMM_WORLD, 7, -my_rank, &part);
  check_members(part, rank_count, backwards);
  CHECK(comparison(part, MPI_COMM_WORLD) == (rank_count > 1 ? MPI_SIMILAR : MPI_CONGRUENT));
  maybe_move();
  check_ring(part, 4);
  MPI_Comm_free(&part);

  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2 ? MPI_UNDEFINED : 0, 0, &part);
  if (my_rank % 2) {
    CHECK(part == MPI_COMM_NULL);
  } else {
    check_members(part, count_with_remainder(2, 0), even);
    check_ring(part, 5);
  }
  maybe_move();
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);

  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int size;
  MPI_Comm_size(node, &size);
  // Either all ranks share memory permanently, or no rank can count on it.
  CHECK(size == 1 || size == rank_count);
  const int near = size;
  check_ring(node, 6);
  MPI_Comm_free(&node);

  // Guided (MPI 4.1, 7.4.2): an unknown kind of hardware gives no communicator, and neither does a missing
  // guide; shared memory gives the communicator checked before; the sets of processes are those that every
  // program has.
  static const struct {
    int type;
    const char *key, *value;
    int gives;  // 0: nothing; 1: the rank itself; 2: all ranks; 3: the ranks that share memory
  } guides[] = {{MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", 3},
                {MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "no such thing", 0},
                {MPI_COMM_TYPE_HW_GUIDED, "mpi_pset_name", "mpi://WORLD", 0},
                {MPI_COMM_TYPE_HW_UNGUIDED, "mpi_hw_resource_type", "mpi_shared_memory", 0},
                {MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", 3},
                {MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF", 1},
                {MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", 2},
                {MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://NOBODY", 0}};
  for (size_t i = 0; i < sizeof guides / sizeof *guides; ++i) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, guides[i].key, guides[i].value);
    MPI_Comm_split_type(MPI_COMM_WORLD, guides[i].type, -my_rank, info, &node);
    MPI_Info_free(&info);
    CHECK((node == MPI_COMM_NULL) == (guides[i].gives == 0));
    if (node == MPI_COMM_NULL) continue;
    if (guides[i].gives == 2) check_members(node, rank_count, backwards);
    MPI_Comm_size(node, &size);
    CHECK(size == (guides[i].gives == 3 ? near : guides[i].gives == 2 ? rank_count : 1));
    MPI_Comm_free(&node);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, &node);
  CHECK(node == MPI_COMM_NULL);
}

static void duplicates(void) {
  MPI_Comm copy, copy_of_copy, later;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_dup(copy, &copy_of_copy);
  CHECK(comparison(copy, MPI_COMM_WORLD) == MPI_CONGRUENT && comparison(copy, copy) == MPI_IDENT);
  MPI_Request duplication;
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &duplication);
  MPI_Wait(&duplication, MPI_STATUS_IGNORE);
  maybe_move();
  // Equal tags on three communicators, received in another order than sent.
  const MPI_Comm comms[3] = {copy, copy_of_copy, later};
  const int right = (my_rank + 1) % rank_count, left = (my_rank + rank_count - 1) % rank_count;
  int out[3], in[3];
  MPI_Request sends[3];
  for (int i = 0; i < 3; ++i) {
    out[i] = my_rank * 3 + i;
    MPI_Isend(&out[i], 1, MPI_INT, right, 9, comms[i], &sends[i]);
  }
  maybe_move();
  for (int i = 2; i >= 0; --i) {
    MPI_Recv(&in[i], 1, MPI_INT, left, 9, comms[i], MPI_STATUS_IGNORE);
    CHECK(in[i] == left * 3 + i);
  }
  MPI_Waitall(3, sends, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&copy);
  check_ring(copy_of_copy, 8);
  MPI_Comm_free(&copy_of_copy);
  MPI_Comm_free(&later);
}

static void groups(void) {
  MPI_Group world, evens, low, result;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int even_count = count_with_remainder(2, 0), half = (rank_count + 1) / 2;
  int* const ranks = malloc(sizeof(int) * (size_t)rank_count);
  for (int i = 0; i < even_count; ++i) ranks[i] = 2 * i;
  MPI_Group_incl(world, even_count, ranks, &evens);
  int lower_half[1][3] = {{0, half - 1, 1}};
  MPI_Group_range_incl(world, 1, lower_half, &low);
  maybe_move();

  int size, rank, compared;
  MPI_Group_union(evens, low, &result);
  MPI_Group_size(result, &size);
  CHECK(size == even_count + half / 2);  // the lower half has half / 2 odd ranks
  MPI_Group_free(&result);
  MPI_Group_intersection(evens, low, &result);
  MPI_Group_size(result, &size);
  CHECK(size == (half + 1) / 2);
  MPI_Group_free(&result);
  MPI_Group_difference(world, evens, &result);
  MPI_Group_size(result, &size);
  MPI_Group_rank(result, &rank);
  CHECK(size == rank_count - even_count && rank == (my_rank % 2 ? my_rank / 2 : MPI_UNDEFINED));
  if (result != MPI_GROUP_EMPTY) MPI_Group_free(&result);
  MPI_Group_excl(world, even_count, ranks, &result);
  MPI_Group_rank(result, &rank);
  CHECK(rank == (my_rank % 2 ? my_rank / 2 : MPI_UNDEFINED));
  if (result != MPI_GROUP_EMPTY) MPI_Group_free(&result);
  MPI_Group_compare(world, world, &compared);
  CHECK(compared == MPI_IDENT);

  MPI_Comm created;
  MPI_Comm_create(MPI_COMM_WORLD, evens, &created);
  CHECK((created == MPI_COMM_NULL) == (my_rank % 2 == 1));
  if (created != MPI_COMM_NULL) {
    check_members(created, even_count, even);
    check_ring(created, 11);
    MPI_Comm_free(&created);
  }
  // Only the members call this one.
  if (my_rank < half) {
    MPI_Comm_create_group(MPI_COMM_WORLD, low, 17, &created);
    check_members(created, half, same);
    check_ring(created, 12);
    MPI_Comm_free(&created);
  }
  maybe_move();
  MPI_Group_free(&evens);
  MPI_Group_free(&low);
  MPI_Group_free(&world);
  free(ranks);
}

static void names_and_predefined_attributes(void) {
  char name[MPI_MAX_OBJECT_NAME];
  int length, found, *value;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == 14);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_set_name(copy, "a copy");
  maybe_move();
  MPI_Comm_get_name(copy, name, &length);
  CHECK(strcmp(name, "a copy") == 0 && length == 6);
  MPI_Comm_free(&copy);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found);
  CHECK(found && *value >= 32767);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &found);
  CHECK(!found || *value == MPI_PROC_NULL || (*value >= 0 && *value < rank_count));
}

static void cartesian(void) {
  int dims[2] = {0, 0};
  const int periods[2] = {1, 0};
  MPI_Dims_create(rank_count, 2, dims);
  CHECK(dims[0] * dims[1] == rank_count && dims[0] >= dims[1]);
  MPI_Comm grid, row;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  maybe_move();
  int coords[2], got_dims[2], got_periods[2], rank, source, target;
  MPI_Cart_get(grid, 2, got_dims, got_periods, coords);
  CHECK(got_dims[0] == dims[0] && got_dims[1] == dims[1] && got_periods[0] && !got_periods[1]);
  CHECK(coords[0] == my_rank / dims[1] && coords[1] == my_rank % dims[1]);
  MPI_Cart_rank(grid, coords, &rank);
  CHECK(rank == my_rank);
  MPI_Cart_shift(grid, 0, 1, &source, &target);
  CHECK(target == (coords[0] + 1) % dims[0] * dims[1] + coords[1]);
  CHECK(source == (coords[0] + dims[0] - 1) % dims[0] * dims[1] + coords[1]);
  MPI_Cart_shift(grid, 1, 1, &source, &target);
  CHECK(target == (coords[1] + 1 < dims[1] ? my_rank + 1 : MPI_PROC_NULL));
  CHECK(source == (coords[1] > 0 ? my_rank - 1 : MPI_PROC_NULL));
  int in = -1;
  MPI_Sendrecv(&my_rank, 1, MPI_INT, target, 2, &in, 1, MPI_INT, source, 2, grid, MPI_STATUS_IGNORE);
  CHECK(in == (source == MPI_PROC_NULL ? -1 : source));
  const int keep[2] = {0, 1};
  MPI_Cart_sub(grid, keep, &row);
  MPI_Comm_rank(row, &rank);
  CHECK(rank == coords[1]);
  check_ring(row, coords[0]);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 5);
  for (int round = 0; round < rounds; ++round) {
    splits();
    duplicates();
    groups();
    names_and_predefined_attributes();
    cartesian();
    maybe_move();
  }
  finish("comm");
  return 0;
}
