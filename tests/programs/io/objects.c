// SPDX-License-Identifier: Apache-2.0
// Files as objects: modes, errors and their handlers, hints, sizes, data representations, atomic mode,
// working directories (MPI 4.1, 14.2, 14.5 to 14.7), while ranks move.
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

static int open_error(const char* name, int amode) {
  MPI_File file = MPI_FILE_NULL;
  const int error = class_of(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &file));
  if (error != MPI_SUCCESS) CHECK(file == MPI_FILE_NULL);
  if (error == MPI_SUCCESS) close_file(&file);
  return error;
}

static void modes(void) {
  const int rdonly = MPI_MODE_RDONLY, create = MPI_MODE_CREATE;
  CHECK(open_error("none", rdonly) == MPI_ERR_NO_SUCH_FILE);
  CHECK(open_error("none", MPI_MODE_RDWR | MPI_MODE_WRONLY) == MPI_ERR_AMODE);
  CHECK(open_error("none", create) == MPI_ERR_AMODE);
  CHECK(open_error("none", rdonly | create) == MPI_ERR_AMODE);
  CHECK(open_error("none", rdonly | MPI_MODE_EXCL) == MPI_ERR_AMODE);
  CHECK(open_error("none", MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL) == MPI_ERR_AMODE);
  CHECK(open_error("none/none", MPI_MODE_WRONLY | create) == MPI_ERR_NO_SUCH_FILE);
  if (rank_count > 1)
    CHECK(open_error("none", my_rank == 0 ? MPI_MODE_RDWR : MPI_MODE_WRONLY) == MPI_ERR_NOT_SAME);
  CHECK(open_error("modes", MPI_MODE_WRONLY | create | MPI_MODE_EXCL) == MPI_SUCCESS);
  CHECK(open_error("modes", MPI_MODE_WRONLY | create | MPI_MODE_EXCL) == MPI_ERR_FILE_EXISTS);

  int data = value_at(my_rank), amode;
  MPI_Offset position, size;
  MPI_File file = open_file(MPI_COMM_WORLD, "modes", MPI_MODE_WRONLY | MPI_MODE_UNIQUE_OPEN);
  OK(MPI_File_write_at(file, 4 * my_rank, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(class_of(MPI_File_read_at(file, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ACCESS);
  OK(MPI_File_get_amode(file, &amode));
  CHECK(amode == (MPI_MODE_WRONLY | MPI_MODE_UNIQUE_OPEN));
  close_file(&file);
  check_contents("modes", 0, rank_count);

  file = open_file(MPI_COMM_WORLD, "modes", MPI_MODE_RDWR | MPI_MODE_APPEND);
  OK(MPI_File_get_position(file, &position));
  CHECK(position == 4 * rank_count);
  OK(MPI_File_get_position_shared(file, &position));
  CHECK(position == 4 * rank_count);
  maybe_move();
  data = value_at(rank_count + my_rank);
  OK(MPI_File_write_ordered(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  close_file(&file);
  check_contents("modes", 0, 2 * rank_count);

  file = open_file(MPI_COMM_WORLD, "modes", rdonly | MPI_MODE_SEQUENTIAL);
  CHECK(class_of(MPI_File_read(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(class_of(MPI_File_read_at(file, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) ==
        MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(class_of(MPI_File_seek(file, 0, MPI_SEEK_SET)) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(class_of(MPI_File_write_shared(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_READ_ONLY);
  CHECK(class_of(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)) == MPI_ERR_ARG);
  OK(MPI_File_read_ordered(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(data == value_at(my_rank));
  maybe_move();
  OK(MPI_File_set_view(file, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  OK(MPI_File_read_ordered(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(data == value_at(rank_count + my_rank));
  CHECK(class_of(MPI_File_set_size(file, 0)) == MPI_ERR_READ_ONLY);
  close_file(&file);

  file = open_file(MPI_COMM_WORLD, "modes", MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
  OK(MPI_File_set_size(file, 100));
  maybe_move();
  OK(MPI_File_get_size(file, &size));
  CHECK(size == 100);
  meet();
  OK(MPI_File_preallocate(file, 5000));
  OK(MPI_File_get_size(file, &size));
  CHECK(size == 5000);
  OK(MPI_File_preallocate(file, 10));
  OK(MPI_File_get_size(file, &size));
  CHECK(size == 5000);
  OK(MPI_File_sync(file));
  CHECK(class_of(MPI_File_set_size(file, -1)) == MPI_ERR_ARG);
  close_file(&file);
  CHECK(access("modes", F_OK) != 0);
}

static int handled, calls;
static MPI_File handled_file;
static void handle(MPI_File* file, int* code, ...) {
  handled = *code;
  handled_file = *file;
  ++calls;
}

static void errors(void) {
  MPI_Errhandler handler, found;
  MPI_File file = open_new(MPI_COMM_WORLD, "errors");
  MPI_Group group;
  int size, data = 0;
  OK(MPI_File_get_group(file, &group));
  MPI_Group_size(group, &size);
  CHECK(size == rank_count);
  MPI_Group_free(&group);
  OK(MPI_File_get_errhandler(file, &found));
  CHECK(found == MPI_ERRORS_RETURN);
  OK(MPI_File_create_errhandler(handle, &handler));
  OK(MPI_File_set_errhandler(file, handler));
  OK(MPI_Errhandler_free(&handler));
  maybe_move();
  CHECK(class_of(MPI_File_write_at(file, -1, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_ARG);
  CHECK(calls == 1 && class_of(handled) == MPI_ERR_ARG && handled_file == file);
  OK(MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE));
  CHECK(calls == 2 && handled == MPI_ERR_NO_SPACE);
  CHECK(class_of(MPI_File_write_at(file, 0, &data, -1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_File_write_at(file, 0, &data, 1, MPI_DATATYPE_NULL, MPI_STATUS_IGNORE)) == MPI_ERR_TYPE);
  CHECK(class_of(MPI_File_set_view(file, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "unheard of", MPI_INFO_NULL)) ==
        MPI_ERR_UNSUPPORTED_DATAREP);
  CHECK(class_of(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL)) == MPI_ERR_ARG);
  MPI_Datatype wrong[3];
  OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){3, 0}, MPI_INT, &wrong[0]));
  OK(MPI_Type_indexed(2, (int[]){3, 1}, (int[]){0, 1}, MPI_INT, &wrong[1]));
  OK(MPI_Type_indexed(1, (int[]){1}, (int[]){-1}, MPI_INT, &wrong[2]));
  for (int i = 0; i < 3; ++i) {
    OK(MPI_Type_commit(&wrong[i]));
    CHECK(class_of(MPI_File_set_view(file, 0, MPI_INT, wrong[i], "native", MPI_INFO_NULL)) == MPI_ERR_IO);
    MPI_Type_free(&wrong[i]);
  }
  OK(MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL));
  CHECK(class_of(MPI_File_write(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE)) == MPI_ERR_IO);
  CHECK(class_of(MPI_File_seek(file, 0, 17)) == MPI_ERR_ARG);
  CHECK(calls == 12);
  close_file(&file);
  CHECK(class_of(MPI_File_sync(file)) == MPI_ERR_FILE);
  CHECK(class_of(MPI_File_delete("no such file", MPI_INFO_NULL)) == MPI_ERR_NO_SUCH_FILE);
  MPI_File never = MPI_FILE_NULL;
  CHECK(class_of(MPI_File_open(MPI_COMM_NULL, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &never)) == MPI_ERR_COMM);
}

static void hints(void) {
  MPI_Info info, used;
  MPI_File file;
  char value[MPI_MAX_INFO_VAL];
  int flag;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_buffer_size", "4096");
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_Info_set(info, "access_style", "write_once");
  MPI_Info_set(info, "no_such_hint", "true");
  OK(MPI_File_open(MPI_COMM_WORLD, "hints", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info,
                   &file));
  MPI_Info_set(info, "cb_buffer_size", "no number");
  MPI_Info_set(info, "romio_cb_write", "enable");
  OK(MPI_File_set_info(file, info));
  maybe_move();
  OK(MPI_File_get_info(file, &used));
  MPI_Info_get(used, "cb_buffer_size", sizeof value - 1, value, &flag);
  CHECK(flag && strcmp(value, "4096") == 0);
  MPI_Info_get(used, "romio_cb_write", sizeof value - 1, value, &flag);
  CHECK(flag && strcmp(value, "enable") == 0);
  MPI_Info_get(used, "romio_cb_read", sizeof value - 1, value, &flag);
  CHECK(flag && strcmp(value, "automatic") == 0);
  MPI_Info_get(used, "access_style", sizeof value - 1, value, &flag);
  CHECK(flag && strcmp(value, "write_once") == 0);
  MPI_Info_get(used, "no_such_hint", sizeof value - 1, value, &flag);
  CHECK(!flag);
  MPI_Info_free(&used);
  MPI_Info_free(&info);
  // One rank collects for all, in many windows.
  enum { each = 5000 };
  static int data[each];
  MPI_Datatype spread;
  OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * rank_count, &spread));
  OK(MPI_Type_commit(&spread));
  OK(MPI_File_set_view(file, 4 * my_rank, MPI_INT, spread, "native", MPI_INFO_NULL));
  MPI_Type_free(&spread);
  for (int i = 0; i < each; ++i) data[i] = value_at((int64_t)i * rank_count + my_rank);
  // The last rank contributes half as much.
  const int mine = my_rank == rank_count - 1 ? each / 2 : each;
  MPI_Status status;
  OK(MPI_File_write_all(file, data, mine, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == mine);
  if (my_rank == rank_count - 1)
    OK(MPI_File_write(file, data + mine, each - mine, MPI_INT, MPI_STATUS_IGNORE));
  check_contents("hints", 0, (int64_t)each * rank_count);
  maybe_move();
  memset(data, 0, sizeof data);
  // The read asks for more than the file has.
  OK(MPI_File_read_at_all(file, 1, data, each, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == each - 1);
  for (int i = 0; i + 1 < each; ++i) CHECK(data[i] == value_at((int64_t)(i + 1) * rank_count + my_rank));
  close_file(&file);
}

/// Checks the bytes of big-endian numbers, as external32 has them.
static void external(void) {
  MPI_File file = open_new(MPI_COMM_WORLD, "external");
  MPI_Aint extent;
  MPI_Count large;
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
  OK(MPI_File_get_type_extent(file, MPI_LONG_DOUBLE, &extent));
  CHECK(extent == 16);
  OK(MPI_File_get_type_extent_c(file, MPI_SHORT, &large));
  CHECK(large == 2);
  int data[3] = {value_at(3 * my_rank), value_at(3 * my_rank + 1), value_at(3 * my_rank + 2)};
  OK(MPI_File_write_at_all(file, 3 * my_rank, data, 3, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  maybe_move();
  MPI_Status status;
  const int next = (my_rank + 1) % rank_count;
  memset(data, 0, sizeof data);
  OK(MPI_File_read_at(file, 3 * next, data, 3, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 3);
  for (int i = 0; i < 3; ++i) CHECK(data[i] == value_at(3 * next + i));
  data[1] = -5;
  OK(MPI_File_read_at(file, 3 * rank_count - 1, data, 3, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 1 && data[0] == value_at(3 * rank_count - 1) && data[1] == -5);
  unsigned char bytes[12];
  OK(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "internal", MPI_INFO_NULL));
  OK(MPI_File_read_at(file, 12 * my_rank, bytes, 12, MPI_BYTE, MPI_STATUS_IGNORE));
  for (int i = 0; i < 3; ++i)
    CHECK((bytes[4 * i] << 24 | bytes[4 * i + 1] << 16 | bytes[4 * i + 2] << 8 | bytes[4 * i + 3]) ==
          value_at(3 * my_rank + i));
  close_file(&file);
}

// A data representation of the program's own: every int takes 8 bytes, of which the second four are its
// complement.
static int conversions;
static int extent_of(MPI_Datatype type, MPI_Aint* extent, void* extra) {
  CHECK(extra == &conversions);
  int size;
  MPI_Type_size(type, &size);
  *extent = 2 * size;
  return MPI_SUCCESS;
}
#define CONVERSION(suffix, Count)                                                                            \
  static int to_file##suffix(void* user, MPI_Datatype type, Count count, void* in_file, MPI_Offset position, \
                             void* extra) {                                                                  \
    CHECK(type == MPI_INT && position == 0 && extra == &conversions);                                        \
    for (Count i = 0; i < count; ++i) {                                                                      \
      ((int*)in_file)[2 * i] = ((int*)user)[i];                                                              \
      ((int*)in_file)[2 * i + 1] = ~((int*)user)[i];                                                         \
    }                                                                                                        \
    ++conversions;                                                                                           \
    return MPI_SUCCESS;                                                                                      \
  }                                                                                                          \
  static int from_file##suffix(void* user, MPI_Datatype type, Count count, void* in_file,                    \
                               MPI_Offset position, void* extra) {                                           \
    CHECK(type == MPI_INT && position == 0 && extra == &conversions);                                        \
    for (Count i = 0; i < count; ++i) {                                                                      \
      CHECK(((int*)in_file)[2 * i + 1] == ~((int*)in_file)[2 * i]);                                          \
      ((int*)user)[i] = ((int*)in_file)[2 * i];                                                              \
    }                                                                                                        \
    ++conversions;                                                                                           \
    return MPI_SUCCESS;                                                                                      \
  }
CONVERSION(, int)
CONVERSION(_large, MPI_Count)

static void own_representation(const char* name) {
  MPI_File file = open_new(MPI_COMM_WORLD, "own");
  MPI_Aint extent;
  MPI_Datatype pair, every;
  conversions = 0;
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, name, MPI_INFO_NULL));
  OK(MPI_File_get_type_extent(file, MPI_INT, &extent));
  CHECK(extent == 8);
  // Rank r has every n-th pair of ints: displacements that count elements count those in the file.
  MPI_Type_vector(1, 2, 2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, 16 * rank_count, &every);
  MPI_Type_commit(&every);
  OK(MPI_File_set_view(file, 16 * my_rank, MPI_INT, every, name, MPI_INFO_NULL));
  int data[20];
  for (int i = 0; i < 20; ++i) data[i] = value_at(2 * (i / 2 * rank_count + my_rank) + i % 2);
  OK(MPI_File_write_all(file, data, 20, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  maybe_move();
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int i = 0; i < 20; ++i) {
    OK(MPI_File_read_at(file, 2 * (20 * my_rank + i), data, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(data[0] == value_at(20 * my_rank + i) && data[1] == ~data[0]);
  }
  OK(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, name, MPI_INFO_NULL));
  MPI_Status status;
  OK(MPI_File_read_at_all(file, 20 * my_rank, data, 20, MPI_INT, &status));
  CHECK(count_of(&status, MPI_INT) == 20);
  for (int i = 0; i < 20; ++i) CHECK(data[i] == value_at(20 * my_rank + i));
  CHECK(conversions == 2);
  MPI_Type_free(&pair);
  MPI_Type_free(&every);
  close_file(&file);
}

static void representations(void) {
  OK(MPI_Register_datarep("with complements", from_file, to_file, extent_of, &conversions));
  OK(MPI_Register_datarep_c("the same, large", from_file_large, to_file_large, extent_of, &conversions));
  CHECK(class_of(MPI_Register_datarep("with complements", from_file, to_file, extent_of, NULL)) ==
        MPI_ERR_DUP_DATAREP);
  CHECK(class_of(MPI_Register_datarep("external32", from_file, to_file, extent_of, NULL)) ==
        MPI_ERR_DUP_DATAREP);
  maybe_move();
  own_representation("with complements");
  own_representation("the same, large");
}

/// Checks that in atomic mode a reader sees all of a write or nothing of it, with pieces that lie apart.
static void atomic(void) {
  enum { pieces = 50, rounds = 20 };
  MPI_File file = open_new(MPI_COMM_WORLD, "atomic");
  MPI_Datatype apart;
  int data[pieces], flag = -1;
  OK(MPI_File_get_atomicity(file, &flag));
  CHECK(flag == 0);
  OK(MPI_File_set_atomicity(file, 1));
  OK(MPI_File_get_atomicity(file, &flag));
  CHECK(flag == 1);
  if (rank_count > 1) CHECK(class_of(MPI_File_set_atomicity(file, my_rank == 0)) == MPI_ERR_NOT_SAME);
  MPI_Type_create_resized(MPI_INT, 0, 1000, &apart);
  MPI_Type_commit(&apart);
  OK(MPI_File_set_view(file, 0, MPI_INT, apart, "native", MPI_INFO_NULL));
  for (int i = 0; i < pieces; ++i) data[i] = -1;
  if (my_rank == 0) OK(MPI_File_write(file, data, pieces, MPI_INT, MPI_STATUS_IGNORE));
  meet();
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < pieces; ++i) data[i] = my_rank * rounds + round;
    OK(MPI_File_write_at(file, 0, data, pieces, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_read_at(file, 0, data, pieces, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 1; i < pieces; ++i) CHECK(data[i] == data[0]);
    if (round % 5 == 0) maybe_move();
  }
  MPI_Type_free(&apart);
  close_file(&file);
}

/// Gives each rank a file of its own, in a directory of its own, by a relative name.
static void directories(void) {
  char name[32];
  snprintf(name, sizeof name, "of_%d", my_rank);
  CHECK(mkdir(name, 0777) == 0 && chdir(name) == 0);
  MPI_File file = open_new(MPI_COMM_SELF, "file");
  int data = value_at(my_rank);
  OK(MPI_File_write(file, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(access("file", F_OK) == 0);
  maybe_move();
  data = 0;
  OK(MPI_File_read_at(file, 0, &data, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK(data == value_at(my_rank));
  close_file(&file);
  CHECK(access("file", F_OK) != 0);
  CHECK(chdir("..") == 0 && rmdir(name) == 0);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  modes();
  errors();
  hints();
  external();
  representations();
  atomic();
  directories();
  finish("io/objects");
}
