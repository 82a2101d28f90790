// SPDX-License-Identifier: Apache-2.0
// Files, views, explicit offsets and the individual pointer (MPI 4.1, 14.2 to 14.4), alone and collectively,
// while ranks move: the contents follow from a formula, and the C library reads them, too.
#include "files.h"

enum { each = 600 };

/// Every rank writes its block, by explicit offsets, in pieces.
static void blocks(void) {
  MPI_File file = open_new(MPI_COMM_WORLD, "blocks");
  int data[each];
  MPI_Status status;
  const MPI_Offset begin = (MPI_Offset)sizeof(int) * each * my_rank;
  for (int i = 0; i < each; ++i) data[i] = value_at((int64_t)each * my_rank + i);
  for (int piece = 0; piece < 3; ++piece) {
    OK(WIDE(MPI_File_write_at)(file, begin + piece * 200 * 4, data + piece * 200, 200, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 200);
    maybe_move();
  }
  check_contents("blocks", 0, (int64_t)each * rank_count);
  const int next = (my_rank + 1) % rank_count;
  memset(data, 0, sizeof data);
  OK(WIDE(MPI_File_read_at)(file, (MPI_Offset)sizeof(int) * each * next, data, each, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == each);
  for (int i = 0; i < each; ++i) CHECK(data[i] == value_at((int64_t)each * next + i));
  MPI_Offset size;
  OK(MPI_File_get_size(file, &size));
  CHECK(size == (MPI_Offset)sizeof(int) * each * rank_count);
  // There is nothing beyond the end, and a read across the end gets a part.
  OK(WIDE(MPI_File_read_at)(file, size - 8, data, 10, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 2);
  OK(WIDE(MPI_File_read_at)(file, size + 400, data, 10, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 0);
  meet();
  close_file(&file);
  FILE* const gone = fopen("blocks", "rb");
  CHECK(!gone);
}

/// Returns a type by which rank r sees every n-th int, r ints and a header behind the beginning.
static MPI_Datatype every_nth(void) {
  MPI_Datatype type;
  OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * rank_count, &type));
  OK(MPI_Type_commit(&type));
  return type;
}

/// Writes ints of all ranks alternately. `together`: collectively. Memory has a hole behind each int.
static void interleaved(int together) {
  const long header = 12;
  MPI_File file = open_new(MPI_COMM_WORLD, "interleaved");
  MPI_Datatype filetype = every_nth(), spread;
  OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spread));
  OK(MPI_Type_commit(&spread));
  OK(MPI_File_set_view(file, header + 4 * my_rank, MPI_INT, filetype, "native", MPI_INFO_NULL));
  OK(MPI_Type_free(&filetype));
  int data[2 * each];
  for (int i = 0; i < each; ++i) {
    data[2 * i] = value_at((int64_t)i * rank_count + my_rank);
    data[2 * i + 1] = -7;
  }
  MPI_Status status;
  MPI_Offset position;
  for (int done = 0; done < each; done += 150) {
    if (together)
      OK(WIDE(MPI_File_write_all)(file, data + 2 * done, 150, spread, &status));
    else
      OK(WIDE(MPI_File_write)(file, data + 2 * done, 150, spread, &status));
    CHECK(count_of(&status, MPI_INT) == 150);
    OK(MPI_File_get_position(file, &position));
    CHECK(position == done + 150);
    maybe_move();
  }
  check_contents("interleaved", header, (int64_t)each * rank_count);
  memset(data, 0xff, sizeof data);
  OK(MPI_File_seek(file, 0, MPI_SEEK_SET));
  for (int done = 0; done < each; done += 300) {
    if (together)
      OK(WIDE(MPI_File_read_all)(file, data + 2 * done, 300, spread, &status));
    else
      OK(WIDE(MPI_File_read)(file, data + 2 * done, 300, spread, &status));
    CHECK(count_of(&status, MPI_INT) == 300);
    maybe_move();
  }
  for (int i = 0; i < each; ++i)
    CHECK(data[2 * i] == value_at((int64_t)i * rank_count + my_rank) && data[2 * i + 1] == -1);
  // The rank is at the end of what it sees.
  OK(WIDE(MPI_File_read)(file, data, 3, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 0);
  OK(MPI_File_seek(file, -2, MPI_SEEK_END));
  OK(MPI_File_get_position(file, &position));
  CHECK(position == each - 2);
  OK(MPI_File_get_byte_offset(file, position, &position));
  CHECK(position == header + 4 * my_rank + (MPI_Offset)4 * rank_count * (each - 2));
  CHECK(MPI_File_seek(file, -each, MPI_SEEK_CUR) != MPI_SUCCESS);
  OK(MPI_Type_free(&spread));
  close_file(&file);
}

/// Writes a matrix, divided into rows, as it is and reads it by columns.
static void matrix(void) {
  const int rows = 4 * rank_count, columns = 3 * rank_count;
  MPI_File file = open_new(MPI_COMM_WORLD, "matrix");
  MPI_Datatype of_rows, of_columns;
  OK(MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){4, columns}, (int[]){4 * my_rank, 0},
                              MPI_ORDER_C, MPI_INT, &of_rows));
  OK(MPI_Type_create_subarray(2, (int[]){rows, columns}, (int[]){rows, 3}, (int[]){0, 3 * my_rank},
                              MPI_ORDER_C, MPI_INT, &of_columns));
  OK(MPI_Type_commit(&of_rows));
  OK(MPI_Type_commit(&of_columns));
  int* const data = malloc(sizeof(int) * (size_t)(rows * columns));
  for (int i = 0; i < 4 * columns; ++i) data[i] = value_at((int64_t)4 * columns * my_rank + i);
  OK(MPI_File_set_view(file, 0, MPI_INT, of_rows, "native", MPI_INFO_NULL));
  OK(WIDE(MPI_File_write_at_all)(file, 0, data, 4 * columns, MPI_INT, MPI_STATUS_IGNORE));
  maybe_move();
  check_contents("matrix", 0, (int64_t)rows * columns);
  OK(MPI_File_set_view(file, 0, MPI_INT, of_columns, "native", MPI_INFO_NULL));
  maybe_move();
  MPI_Status status;
  OK(WIDE(MPI_File_read_at_all)(file, 0, data, rows * 3, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == rows * 3);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < 3; ++i)
      CHECK(data[3 * row + i] == value_at((int64_t)row * columns + 3 * my_rank + i));
  // The parts of the views.
  MPI_Offset displacement;
  MPI_Datatype etype, filetype;
  char name[MPI_MAX_DATAREP_STRING];
  OK(MPI_File_get_view(file, &displacement, &etype, &filetype, name));
  int size;
  MPI_Type_size(filetype, &size);
  CHECK(displacement == 0 && etype == MPI_INT && size == rows * 12 && strcmp(name, "native") == 0);
  MPI_Type_free(&filetype);
  MPI_Type_free(&of_rows);
  MPI_Type_free(&of_columns);
  free(data);
  close_file(&file);
}

/// Checks that only written bytes change: pieces with holes between them that no rank writes.
static void holes(int together) {
  const int places = 64 * rank_count;
  MPI_File file = open_new(MPI_COMM_WORLD, "holes");
  int data[64];
  for (int i = 0; i < 64; ++i) data[i] = -value_at(64 * my_rank + i);
  OK(MPI_File_write_at(file, (MPI_Offset)256 * my_rank, data, 64, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  // Of every 4 n places, rank r writes the two from 4 r on.
  MPI_Datatype pair, filetype;
  OK(MPI_Type_contiguous(2, MPI_INT, &pair));
  OK(MPI_Type_create_resized(pair, 0, (MPI_Aint)16 * rank_count, &filetype));
  OK(MPI_Type_commit(&filetype));
  OK(MPI_File_set_view(file, 16 * my_rank, MPI_INT, filetype, "native", MPI_INFO_NULL));
  for (int i = 0; i < 32; ++i) data[i] = value_at(4 * rank_count * (i / 2) + 4 * my_rank + i % 2);
  if (together)
    OK(MPI_File_write_all(file, data, 32, MPI_INT, MPI_STATUS_IGNORE));
  else
    OK(MPI_File_write(file, data, 32, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  maybe_move();
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  int* const all = malloc(sizeof(int) * (size_t)places);
  OK(MPI_File_read_all(file, all, places, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < places; ++i) CHECK(all[i] == (i % 4 < 2 ? value_at(i) : -value_at(i)));
  free(all);
  MPI_Type_free(&pair);
  MPI_Type_free(&filetype);
  close_file(&file);
}

/// Offsets above 2 and 4 GiB, in a file that is nearly all hole.
static void far_away(void) {
  const MPI_Offset far = (MPI_Offset)5 << 30;
  MPI_File file = open_new(MPI_COMM_WORLD, "far");
  int data[4];
  for (int i = 0; i < 4; ++i) data[i] = value_at(4 * my_rank + i);
  OK(MPI_File_write_at_all(file, far + 16 * my_rank, data, 4, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  maybe_move();
  MPI_Offset size;
  OK(MPI_File_get_size(file, &size));
  CHECK(size == far + 16 * rank_count);
  meet();
  // Instances of a filetype of 3 GiB; each rank sees four ints of them.
  MPI_Datatype wide;
  OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)3 << 30, &wide));
  OK(MPI_Type_commit(&wide));
  OK(MPI_File_set_view(file, 16 * my_rank, MPI_INT, wide, "native", MPI_INFO_NULL));
  OK(MPI_File_write_at_all(file, 0, data, 4, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  maybe_move();
  OK(MPI_File_get_size(file, &size));
  CHECK(size == ((MPI_Offset)9 << 30) + 16 * (rank_count - 1) + 4);
  memset(data, 0, sizeof data);
  OK(MPI_File_read_at_all(file, 0, data, 4, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < 4; ++i) CHECK(data[i] == value_at(4 * my_rank + i));
  OK(MPI_File_set_view(file, far, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  OK(MPI_File_read_at(file, 4 * (rank_count - 1), data, 4, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < 4; ++i) CHECK(data[i] == value_at(4 * (rank_count - 1) + i));
  MPI_Type_free(&wide);
  close_file(&file);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  blocks();
  for (int together = 0; together < 2; ++together) {
    interleaved(together);
    holes(together);
  }
  matrix();
  far_away();
  finish("io/views");
}
