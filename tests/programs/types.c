// SPDX-License-Identifier: Apache-2.0
// `types [ROUNDS]`: derived types as messages, packed and unpacked, with ranks moving in between; expected
// bytes follow from the typemap by arithmetic.
#include <stddef.h>
#include <string.h>

#include "check.h"

static int right, left;

struct Record {
  char tag;
  double values[3];
  short kind;
  int counts[2];
};

/// Sends `count` of `type` from `out` to the right and receives as many from the left into `in`, with a move
/// between.
static void exchange(const void* out, void* in, int count, MPI_Datatype type) {
  MPI_Request requests[2];
  MPI_Status status;
  int received;
  MPI_Irecv(in, count, type, left, 1, MPI_COMM_WORLD, &requests[0]);
  maybe_move();
  MPI_Isend(out, count, type, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Get_count(&status, type, &received);
  CHECK(received == count);
}

static MPI_Datatype committed(MPI_Datatype type) {
  MPI_Type_commit(&type);
  return type;
}

static int value(int rank, int i) { return rank * 100003 + i; }

static void fill(int* data, int n, int rank) {
  for (int i = 0; i < n; ++i) data[i] = rank < 0 ? -7 : value(rank, i);
}

/// Checks that exactly the elements that `chosen` names came from the left.
static void check_chosen(const int* in, int n, int (*chosen)(int i)) {
  for (int i = 0; i < n; ++i) CHECK(in[i] == (chosen(i) ? value(left, i) : -7));
}

enum { grid_rows = 30, grid_columns = 50, grid = grid_rows * grid_columns };

static int in_vector(int i) { return i < 29 * 50 + 4 && i % 50 < 4; }
static int in_subarray(int i) { return i / 50 >= 5 && i / 50 < 15 && i % 50 >= 20 && i % 50 < 40; }
static int in_indexed(int i) { return (i >= 3 && i < 8) || i == 100 || (i >= 700 && i < 900); }
static int in_resized(int i) { return i % 10 == 0 && i < 1000; }

static void layouts(void) {
  static int out[grid], in[grid];
  MPI_Datatype types[4], plain;
  MPI_Type_vector(30, 4, 50, MPI_INT, &types[0]);
  const int sizes[2] = {grid_rows, grid_columns}, part[2] = {10, 20}, start[2] = {5, 20};
  MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &types[1]);
  const int lengths[3] = {5, 1, 200}, at[3] = {3, 100, 700};
  MPI_Type_indexed(3, lengths, at, MPI_INT, &types[2]);
  MPI_Type_create_resized(MPI_INT, 0, 10 * sizeof(int), &types[3]);
  int (*const chosen[4])(int) = {in_vector, in_subarray, in_indexed, in_resized};
  const int counts[4] = {1, 1, 1, 100}, ints[4] = {120, 200, 206, 100};
  for (int i = 0; i < 4; ++i) {
    MPI_Type_commit(&types[i]);
    maybe_move();
    fill(out, grid, my_rank);
    fill(in, grid, -1);
    exchange(out, in, counts[i], types[i]);
    check_chosen(in, grid, chosen[i]);

    // One rank packs, another receives the data unpacked.
    int bytes, position = 0;
    MPI_Pack_size(counts[i], types[i], MPI_COMM_WORLD, &bytes);
    CHECK(bytes >= ints[i] * (int)sizeof(int));
    char* buffer = malloc((size_t)bytes);
    MPI_Pack(out, counts[i], types[i], buffer, bytes, &position, MPI_COMM_WORLD);
    MPI_Request send;
    MPI_Isend(buffer, position, MPI_PACKED, right, 2, MPI_COMM_WORLD, &send);
    maybe_move();
    fill(in, grid, -1);
    MPI_Recv(in, counts[i], types[i], left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    check_chosen(in, grid, chosen[i]);
    free(buffer);

    // Sent spread, received dense: the order is that of the typemap.
    MPI_Isend(out, counts[i], types[i], right, 3, MPI_COMM_WORLD, &send);
    MPI_Recv(in, ints[i], MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    for (int j = 0, k = 0; j < grid; ++j)
      if (chosen[i](j)) CHECK(in[k++] == value(left, j));
  }
  MPI_Type_dup(types[1], &plain);
  MPI_Type_free(&types[1]);
  maybe_move();
  fill(out, grid, my_rank);
  fill(in, grid, -1);
  exchange(out, in, 1, plain);
  check_chosen(in, grid, in_subarray);
  MPI_Type_free(&plain);
  MPI_Type_free(&types[0]);
  MPI_Type_free(&types[2]);
  MPI_Type_free(&types[3]);
}

static void structures(void) {
  enum { records = 200 };
  const int lengths[4] = {1, 3, 1, 2};
  const MPI_Aint at[4] = {offsetof(struct Record, tag), offsetof(struct Record, values),
                          offsetof(struct Record, kind), offsetof(struct Record, counts)};
  const MPI_Datatype parts[4] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT};
  MPI_Datatype bare, record;
  MPI_Type_create_struct(4, lengths, at, parts, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct Record), &record);
  MPI_Type_free(&bare);
  record = committed(record);
  int size;
  MPI_Type_size(record, &size);
  CHECK(size == (int)(sizeof(char) + 3 * sizeof(double) + sizeof(short) + 2 * sizeof(int)));

  struct Record *out = calloc(records, sizeof *out), *in = calloc(records, sizeof *in);
  for (int i = 0; i < records; ++i)
    out[i] = (struct Record){(char)('a' + i % 26), {my_rank, i, i * 0.5}, (short)(i - my_rank), {i, my_rank}};
  exchange(out, in, records, record);
  for (int i = 0; i < records; ++i) {
    CHECK(in[i].tag == 'a' + i % 26 && in[i].values[0] == left && in[i].values[2] == i * 0.5);
    CHECK(in[i].kind == (short)(i - left) && in[i].counts[0] == i && in[i].counts[1] == left);
  }

  // A message that ends within a record counts elements, but no whole records.
  MPI_Request send;
  MPI_Status status;
  int count, elements;
  MPI_Datatype first_two;
  MPI_Type_create_struct(2, lengths, at, parts, &first_two);
  first_two = committed(first_two);
  MPI_Isend(out, 1, first_two, right, 4, MPI_COMM_WORLD, &send);
  MPI_Recv(in, records, record, left, 4, MPI_COMM_WORLD, &status);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  MPI_Get_count(&status, record, &count);
  MPI_Get_elements(&status, record, &elements);
  CHECK(count == MPI_UNDEFINED && elements == 4);

  int integers, addresses, datatypes, combiner;
  MPI_Type_get_envelope(record, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_RESIZED && integers == 0 && addresses == 2 && datatypes == 1);
  MPI_Type_free(&first_two);
  MPI_Type_free(&record);
  free(out);
  free(in);
}

static MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  MPI_Type_free(&type);
  return extent;
}

/// Checks extents with the type of the greatest alignment, 16 bytes: from the first byte to behind the last
/// of the type map's entries, rounded up to the alignment of all (MPI 4.1, 5.1.6), whatever made the map.
static void most_aligned(void) {
  struct Plain {
    char c;
    long double x;
    int i;
  };
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint at[3] = {offsetof(struct Plain, c), offsetof(struct Plain, x), offsetof(struct Plain, i)};
  const MPI_Datatype parts[3] = {MPI_CHAR, MPI_LONG_DOUBLE, MPI_INT};
  MPI_Datatype type;
  MPI_Type_create_struct(3, lengths, at, parts, &type);
  CHECK(extent_of(type) == sizeof(struct Plain));
  const MPI_Aint apart = 72;
  const struct {
    MPI_Datatype of;
    MPI_Aint last_byte;  // of an instance
  } pieces[2] = {{MPI_LONG_DOUBLE, sizeof(long double)},
                 {MPI_LONG_DOUBLE_INT, sizeof(long double) + sizeof(int)}};
  for (int k = 0; k < 2; ++k) {
    const MPI_Aint aligned = _Alignof(long double), end = apart + pieces[k].last_byte;
    const MPI_Aint expected = (end + aligned - 1) / aligned * aligned, places[2] = {0, apart};
    MPI_Type_create_hvector(2, 1, apart, pieces[k].of, &type);
    CHECK(extent_of(type) == expected);
    MPI_Type_create_hindexed(2, lengths, places, pieces[k].of, &type);
    CHECK(extent_of(type) == expected);
  }
}

/// Checks that addresses from the bottom of memory hold after a move: the slot keeps its addresses.
static void absolute_addresses(void) {
  int* first = malloc(sizeof(int) * 4);
  double* second = malloc(sizeof(double) * 2);
  for (int i = 0; i < 4; ++i) first[i] = value(my_rank, i);
  second[0] = my_rank + 0.25;
  second[1] = my_rank + 0.75;
  MPI_Aint at[2];
  MPI_Get_address(first, &at[0]);
  MPI_Get_address(second, &at[1]);
  const int lengths[2] = {4, 2};
  const MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
  MPI_Datatype both;
  MPI_Type_create_struct(2, lengths, at, parts, &both);
  both = committed(both);
  maybe_move();
  MPI_Request send;
  MPI_Isend(MPI_BOTTOM, 1, both, right, 5, MPI_COMM_WORLD, &send);
  struct {
    int first[4];
    double second[2];
  } in;
  const MPI_Aint in_struct[2] = {0, offsetof(__typeof__(in), second)};
  MPI_Datatype received;
  MPI_Type_create_struct(2, lengths, in_struct, parts, &received);
  received = committed(received);
  MPI_Recv(&in, 1, received, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  CHECK(in.first[3] == value(left, 3) && in.second[1] == left + 0.75);
  MPI_Type_free(&both);
  MPI_Type_free(&received);
  free(first);
  free(second);
}

// ---- data too large to go along with an envelope, in any place of a program

enum { spread_blocks = 512, block_ints = 8, spread_ints = 2 * block_ints * spread_blocks };
static const int constants[spread_ints] = {[0 ... spread_ints / 2 - 1] = 5,
                                           [spread_ints / 2 ... spread_ints - 1] = 9};
static _Thread_local int of_thread[spread_ints];

static int constant(int rank, int i) {
  (void)rank;
  return i < spread_ints / 2 ? 5 : 9;
}

/// Receives every second block of the left rank's `out`, whose element i is expected(left, i), into `in`.
static void exchange_spread(const int* out, int* in, MPI_Datatype spread, int (*expected)(int, int)) {
  for (int i = 0; i < spread_ints; ++i) in[i] = -7;
  exchange(out, in, 1, spread);
  for (int i = 0; i < spread_ints; ++i) CHECK(in[i] == (i / block_ints % 2 == 0 ? expected(left, i) : -7));
}

static void places(void) {
  static int of_program[spread_ints];
  int of_function[spread_ints];
  int* of_heap = malloc(sizeof of_program);
  int* in = malloc(sizeof of_program);
  for (int i = 0; i < spread_ints; ++i)
    of_program[i] = of_function[i] = of_heap[i] = of_thread[i] = value(my_rank, i);
  MPI_Datatype forwards, backwards;
  MPI_Type_vector(spread_blocks, block_ints, 2 * block_ints, MPI_INT, &forwards);
  forwards = committed(forwards);
  exchange_spread(of_program, in, forwards, value);
  exchange_spread(of_function, in, forwards, value);
  exchange_spread(of_heap, in, forwards, value);
  exchange_spread(of_thread, in, forwards, value);
  exchange_spread(constants, in, forwards, constant);
  exchange_spread(of_heap, of_thread, forwards, value);

  // Elements that lie below the buffer's address: block b of the message is block -2 b of the memory.
  MPI_Type_create_hvector(spread_blocks, block_ints, -2 * block_ints * (MPI_Aint)sizeof(int), MPI_INT,
                          &backwards);
  backwards = committed(backwards);
  const int last = spread_ints - 2 * block_ints;
  for (int i = 0; i < spread_ints; ++i) in[i] = of_thread[i] = -7;
  MPI_Request send;
  MPI_Isend(of_heap + last, 1, backwards, right, 6, MPI_COMM_WORLD, &send);
  maybe_move();
  MPI_Recv(in, 1, forwards, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);
  for (int i = 0; i < spread_ints; ++i)
    CHECK(in[i] == (i / block_ints % 2 == 0 ? value(left, last - i + 2 * (i % block_ints)) : -7));
  MPI_Type_free(&forwards);
  MPI_Type_free(&backwards);
  free(of_heap);
  free(in);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 5);
  right = (my_rank + 1) % rank_count;
  left = (my_rank + rank_count - 1) % rank_count;
  for (int round = 0; round < rounds; ++round) {
    layouts();
    structures();
    most_aligned();
    absolute_addresses();
    places();
    maybe_move();
  }
  finish("types");
  return 0;
}
