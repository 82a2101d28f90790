// SPDX-License-Identifier: Apache-2.0
// All forms of reading and writing (MPI 4.1, 14.4): blocking, nonblocking and split, with each of the three
// kinds of pointers, alone and collectively, while ranks move.
#include "files.h"

enum { each = 64 };

static int data[each];
static MPI_File file;
static MPI_Status status;

/// Returns the first of the places that this rank writes in round `round`.
static int64_t place(int round) { return ((int64_t)round * rank_count + my_rank) * each; }
static MPI_Offset offset(int round) { return (MPI_Offset)place(round); }
static void bring(int round) {
  for (int i = 0; i < each; ++i) data[i] = value_at(place(round) + i);
}
static void lose(void) { memset(data, 0xee, sizeof data); }
static void check(int round) {
  for (int i = 0; i < each; ++i) CHECK(data[i] == value_at(place(round) + i));
}
static void check_status(void) { CHECK(count_of(&status, MPI_INT) == each); }
static void await(MPI_Request* request) {
  CHECK(*request != MPI_REQUEST_NULL);
  maybe_move();
  OK(MPI_Wait(request, &status));
  CHECK(*request == MPI_REQUEST_NULL);
  check_status();
}

/// Runs each of `calls` for one round; the C library then reads their results.
typedef void (*step)(int round);
static void run(const char* name, const step* calls, int count) {
  file = open_new(MPI_COMM_WORLD, name);
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int round = 0; round < 2 * count; ++round) {
    if (round < count)
      bring(round);
    else
      lose();
    calls[round](round % count);
    if (round >= count) check(round - count);
    maybe_move();
    if (round == count - 1) {
      check_contents(name, 0, (int64_t)count * rank_count * each);
      // All pointers stand at the end, and are moved to the beginning.
      OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
      OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    }
  }
  close_file(&file);
}

// ---- explicit offsets

#define AT(way)                                                                             \
  static void way##_at(int round) {                                                         \
    OK(WIDE(MPI_File_##way##_at)(file, offset(round), data, each, MPI_INT, &status));       \
    check_status();                                                                         \
  }                                                                                         \
  static void way##_at_all(int round) {                                                     \
    OK(WIDE(MPI_File_##way##_at_all)(file, offset(round), data, each, MPI_INT, &status));   \
    check_status();                                                                         \
  }                                                                                         \
  static void i##way##_at(int round) {                                                      \
    MPI_Request request;                                                                    \
    OK(WIDE(MPI_File_i##way##_at)(file, offset(round), data, each, MPI_INT, &request));     \
    await(&request);                                                                        \
  }                                                                                         \
  static void i##way##_at_all(int round) {                                                  \
    MPI_Request request;                                                                    \
    OK(WIDE(MPI_File_i##way##_at_all)(file, offset(round), data, each, MPI_INT, &request)); \
    await(&request);                                                                        \
  }                                                                                         \
  static void way##_at_all_split(int round) {                                               \
    OK(WIDE(MPI_File_##way##_at_all_begin)(file, offset(round), data, each, MPI_INT));      \
    maybe_move();                                                                           \
    OK(MPI_File_##way##_at_all_end(file, data, &status));                                   \
    check_status();                                                                         \
  }
AT(read)
AT(write)

// ---- the individual pointer, which each rank sets before each call

#define INDIVIDUAL(way)                                                             \
  static void way(int round) {                                                      \
    OK(MPI_File_seek(file, offset(round), MPI_SEEK_SET));                           \
    OK(WIDE(MPI_File_##way)(file, data, each, MPI_INT, &status));                   \
    check_status();                                                                 \
  }                                                                                 \
  static void way##_all(int round) {                                                \
    OK(MPI_File_seek(file, offset(round), MPI_SEEK_SET));                           \
    OK(WIDE(MPI_File_##way##_all)(file, data, each, MPI_INT, &status));             \
    check_status();                                                                 \
  }                                                                                 \
  static void i##way(int round) {                                                   \
    MPI_Request request;                                                            \
    OK(MPI_File_seek(file, offset(round), MPI_SEEK_SET));                           \
    OK(WIDE(MPI_File_i##way)(file, data, each, MPI_INT, &request));                 \
    await(&request);                                                                \
  }                                                                                 \
  static void i##way##_all(int round) {                                             \
    MPI_Request request;                                                            \
    MPI_Offset position;                                                            \
    OK(MPI_File_seek(file, offset(round), MPI_SEEK_SET));                           \
    OK(WIDE(MPI_File_i##way##_all)(file, data, each, MPI_INT, &request));           \
    OK(MPI_File_get_position(file, &position));                                     \
    CHECK(position == offset(round) + each);                                        \
    await(&request);                                                                \
  }                                                                                 \
  static void way##_all_split(int round) {                                          \
    OK(MPI_File_seek(file, offset(round), MPI_SEEK_SET));                           \
    OK(WIDE(MPI_File_##way##_all_begin)(file, data, each, MPI_INT));                \
    maybe_move();                                                                   \
    CHECK(MPI_File_##way##_all(file, data, each, MPI_INT, &status) != MPI_SUCCESS); \
    CHECK(MPI_File_##way##_ordered_end(file, data, &status) != MPI_SUCCESS);        \
    OK(MPI_File_##way##_all_end(file, data, &status));                              \
    check_status();                                                                 \
  }
INDIVIDUAL(read)
INDIVIDUAL(write)

// ---- the shared pointer: in the order of ranks

#define ORDERED(way)                                                        \
  static void way##_ordered(int round) {                                    \
    (void)round;                                                            \
    OK(WIDE(MPI_File_##way##_ordered)(file, data, each, MPI_INT, &status)); \
    check_status();                                                         \
  }                                                                         \
  static void way##_ordered_split(int round) {                              \
    (void)round;                                                            \
    OK(WIDE(MPI_File_##way##_ordered_begin)(file, data, each, MPI_INT));    \
    maybe_move();                                                           \
    OK(MPI_File_##way##_ordered_end(file, data, &status));                  \
    check_status();                                                         \
  }
ORDERED(read)
ORDERED(write)

// ---- the shared pointer: in any order. Each piece names its writer.

static void check_pieces(int pieces) {
  int* const seen = calloc((size_t)(pieces * rank_count), sizeof(int));
  for (int piece = 0; piece < pieces * rank_count; ++piece) {
    OK(MPI_File_read_at(file, (MPI_Offset)piece * each, data, each, MPI_INT, &status));
    check_status();
    CHECK(data[0] >= 0 && data[0] < pieces * rank_count);
    ++seen[data[0]];
    for (int i = 1; i < each; ++i) CHECK(data[i] == value_at(data[0] + i));
  }
  for (int i = 0; i < pieces * rank_count; ++i) CHECK(seen[i] == 1);
  free(seen);
}

static void in_any_order(int nonblocking) {
  const int pieces = 5;
  MPI_Request request;
  MPI_Offset position;
  file = open_new(MPI_COMM_WORLD, "shared");
  OK(MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int piece = 0; piece < pieces; ++piece) {
    data[0] = my_rank * pieces + piece;
    for (int i = 1; i < each; ++i) data[i] = value_at(data[0] + i);
    if (nonblocking) {
      OK(WIDE(MPI_File_iwrite_shared)(file, data, each, MPI_INT, &request));
      await(&request);
    } else {
      OK(WIDE(MPI_File_write_shared)(file, data, each, MPI_INT, &status));
      check_status();
      maybe_move();
    }
  }
  meet();
  OK(MPI_File_get_position_shared(file, &position));
  CHECK(position == (MPI_Offset)pieces * rank_count * each);
  check_pieces(pieces);
  OK(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
  // Every rank reads as many pieces: all are read once.
  int* const mine = calloc((size_t)(pieces * rank_count), sizeof(int));
  for (int piece = 0; piece < pieces; ++piece) {
    lose();
    if (nonblocking) {
      OK(WIDE(MPI_File_iread_shared)(file, data, each, MPI_INT, &request));
      await(&request);
    } else {
      OK(WIDE(MPI_File_read_shared)(file, data, each, MPI_INT, &status));
      check_status();
      maybe_move();
    }
    for (int i = 1; i < each; ++i) CHECK(data[i] == value_at(data[0] + i));
    ++mine[data[0]];
  }
  MPI_Allreduce(MPI_IN_PLACE, mine, pieces * rank_count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < pieces * rank_count; ++i) CHECK(mine[i] == 1);
  free(mine);
  OK(MPI_File_seek_shared(file, -each, MPI_SEEK_END));
  OK(MPI_File_get_position_shared(file, &position));
  CHECK(position == ((MPI_Offset)pieces * rank_count - 1) * each);
  close_file(&file);
}

/// Runs several nonblocking collectives at once, with ranks that move between them.
static void several(void) {
  enum { at_once = 4 };
  static int parts[at_once][each];
  MPI_Request requests[at_once];
  MPI_Status statuses[at_once];
  file = open_new(MPI_COMM_WORLD, "several");
  MPI_Datatype spread;
  OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * rank_count, &spread));
  OK(MPI_Type_commit(&spread));
  OK(MPI_File_set_view(file, 4 * my_rank, MPI_INT, spread, "native", MPI_INFO_NULL));
  MPI_Type_free(&spread);
  for (int part = 0; part < at_once; ++part) {
    for (int i = 0; i < each; ++i)
      parts[part][i] = value_at((int64_t)(part * each + i) * rank_count + my_rank);
    OK(WIDE(MPI_File_iwrite_all)(file, parts[part], each, MPI_INT, &requests[part]));
    maybe_move();
  }
  OK(MPI_Waitall(at_once, requests, statuses));
  for (int part = 0; part < at_once; ++part) CHECK(count_of(&statuses[part], MPI_INT) == each);
  check_contents("several", 0, (int64_t)at_once * each * rank_count);
  memset(parts, 0, sizeof parts);
  for (int part = 0; part < at_once; ++part) {
    OK(WIDE(MPI_File_iread_at_all)(file, part * each, parts[part], each, MPI_INT, &requests[part]));
    maybe_move();
  }
  for (int left = at_once; left > 0; --left) {
    int which = -1;
    OK(MPI_Waitany(at_once, requests, &which, &status));
    check_status();
    for (int i = 0; i < each; ++i)
      CHECK(parts[which][i] == value_at((int64_t)(which * each + i) * rank_count + my_rank));
  }
  close_file(&file);
}

#define LENGTH(list) ((int)(sizeof(list) / sizeof *(list)))

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const step explicit_offsets[] = {write_at, write_at_all, iwrite_at, iwrite_at_all, write_at_all_split,
                                   read_at,  read_at_all,  iread_at,  iread_at_all,  read_at_all_split};
  const step individual[] = {write, write_all, iwrite, iwrite_all, write_all_split,
                             read,  read_all,  iread,  iread_all,  read_all_split};
  const step ordered[] = {write_ordered, write_ordered_split, read_ordered, read_ordered_split};
  run("explicit", explicit_offsets, LENGTH(explicit_offsets) / 2);
  run("individual", individual, LENGTH(individual) / 2);
  run("ordered", ordered, LENGTH(ordered) / 2);
  for (int nonblocking = 0; nonblocking < 2; ++nonblocking) in_any_order(nonblocking);
  several();
  finish("io/forms");
}
