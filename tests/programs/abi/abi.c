// SPDX-License-Identifier: Apache-2.0
// A program built with another header of the standard ABI and a plain compiler, linked to libmpi_abi.so.0 as
// with any implementation of the ABI: it must run as it is, and everything must mean what the ABI's numbers
// say.
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "standard_abi.h"

static int rank, size;

#define CHECK(condition)                                                                     \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                          \
    }                                                                                        \
  } while (0)
#define FAILS(call, wanted) CHECK(class_of(call) == (wanted))

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

/// Checks the predefined types by number, as far as C has a size for them.
static void types(void) {
  static const struct {
    int number;
    size_t size;
  } all[] = {
      {0x201, sizeof(MPI_Aint)},
      {0x202, sizeof(MPI_Count)},
      {0x203, sizeof(MPI_Offset)},
      {0x207, 1},
      {0x208, sizeof(short)},
      {0x209, sizeof(int)},
      {0x20a, sizeof(long)},
      {0x20b, sizeof(long long)},
      {0x20c, sizeof(short)},
      {0x20d, sizeof(int)},
      {0x20e, sizeof(long)},
      {0x20f, sizeof(long long)},
      {0x210, sizeof(float)},
      {0x212, 2 * sizeof(float)},
      {0x214, sizeof(double)},
      {0x216, 2 * sizeof(double)},
      {0x220, sizeof(long double)},
      {0x224, 2 * sizeof(long double)},
      {0x228, 8},
      {0x229, 12},
      {0x22a, 12},
      {0x22b, 8},
      {0x22c, 6},
      {0x238, sizeof(_Bool)},
      {0x23c, sizeof(wchar_t)},
      {0x240, 1},
      {0x241, 1},
      {0x243, 1},
      {0x244, 1},
      {0x245, 1},
      {0x247, 1},
      {0x248, 2},
      {0x249, 2},
      {0x250, 4},
      {0x251, 4},
      {0x258, 8},
      {0x259, 8},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    int bytes = -1;
    CHECK(MPI_Type_size((MPI_Datatype)(intptr_t)all[i].number, &bytes) == MPI_SUCCESS);
    CHECK((size_t)bytes == all[i].size);
  }
  MPI_Datatype column;
  int integers, addresses, datatypes, combiner;
  MPI_Type_vector(3, 1, 4, (MPI_Datatype)0x214, &column);
  MPI_Type_get_envelope(column, &integers, &addresses, &datatypes, &combiner);
  CHECK(integers == 3 && addresses == 0 && datatypes == 1 && combiner == MPI_COMBINER_VECTOR);
  MPI_Type_commit(&column);
  MPI_Type_free(&column);
  CHECK(column == MPI_DATATYPE_NULL);
}

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == (MPI_Datatype)0x209);
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

static void operations(void) {
  const MPI_Datatype type = (MPI_Datatype)0x209;
  int product = 1;
  for (int i = 0; i < size; ++i) product *= i % 3 + 1;
  const struct {
    MPI_Op op;
    int wanted;
  } all[] = {{MPI_SUM, size * (size - 1) / 2}, {MPI_MIN, 0}, {MPI_MAX, size - 1}};
  for (int i = 0; i < 3; ++i) {
    int result = rank;
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, type, all[i].op, MPI_COMM_WORLD);
    CHECK(result == all[i].wanted);
  }
  int result = rank % 3 + 1;
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, type, MPI_PROD, MPI_COMM_WORLD);
  CHECK(result == product);
  const MPI_Op bits[] = {MPI_BAND, MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
  const int last = rank == size - 1, several = size > 1;
  const int wanted[] = {several ? 4 : 6, 6, (size % 2 ? 4 : 0) ^ 2, !several, 1, 1};
  for (int i = 0; i < 6; ++i) {
    result = i < 3 ? 4 | (last ? 2 : 0) : last;
    MPI_Allreduce(MPI_IN_PLACE, &result, 1, type, bits[i], MPI_COMM_WORLD);
    CHECK(result == wanted[i]);
  }
  struct {
    double value;
    int index;
  } pair = {rank % 2 ? 1.5 : 0.5, rank};
  MPI_Allreduce(MPI_IN_PLACE, &pair, 1, (MPI_Datatype)0x229, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK(pair.index == (size > 1) && pair.value == (size > 1 ? 1.5 : 0.5));
  MPI_Op own;
  MPI_Op_create(add, 1, &own);
  result = 2;
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, type, own, MPI_COMM_WORLD);
  CHECK(result == 2 * size);
  MPI_Op_free(&own);
}

static void messages(void) {
  const MPI_Datatype type = (MPI_Datatype)0x209;
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int in[4] = {0}, out[4] = {rank, 1, 2, 3}, count = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(in, 4, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Send(out, 3, type, next, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  CHECK(request == MPI_REQUEST_NULL && in[0] == before && in[2] == 2 && in[3] == 0);
  MPI_Get_count(&status, type, &count);
  CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 7 && count == 3);
  MPI_Get_count(&status, (MPI_Datatype)0x214, &count);
  CHECK(count == MPI_UNDEFINED);
  MPI_Irecv(in, 2, type, before, 8, MPI_COMM_WORLD, &request);
  MPI_Send_c(out, 4, type, next, 8, MPI_COMM_WORLD);
  FAILS(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
  MPI_Recv(in, 4, type, MPI_PROC_NULL, 8, MPI_COMM_WORLD, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);

  // Both forms of the partitioned calls, of which MPI 4.1 had only one.
  for (int large = 0; large < 2; ++large) {
    MPI_Request send, receive;
    if (large) {
      MPI_Psend_init_c(out, 2, 2, type, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
      MPI_Precv_init_c(in, 2, 2, type, before, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    } else {
      MPI_Psend_init(out, 2, 2, type, next, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
      MPI_Precv_init(in, 2, 2, type, before, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &receive);
    }
    in[0] = in[3] = -1;
    MPI_Start(&send);
    MPI_Start(&receive);
    MPI_Pready(1, send);
    MPI_Pready(0, send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK(in[0] == before && in[3] == 3);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
  }
}

static void objects(void) {
  const MPI_Datatype type = (MPI_Datatype)0x209;
  MPI_Comm copy, line;
  int result, found = 0, keyval, dims[1] = {size}, periods[1] = {0};
  void* value = NULL;
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &result);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  CHECK((intptr_t)copy > 0x3ff);  // the first ten bits are for predefined handles
  CHECK(MPI_Comm_get_attr(copy, keyval, &value, &found) == MPI_SUCCESS && found && value == &result);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  CHECK(MPI_Comm_fromint(MPI_Comm_toint(copy)) == copy && MPI_Comm_toint(MPI_COMM_SELF) == 0x102);
  CHECK(MPI_Comm_get_attr(copy, MPI_TAG_UB, &value, &found) == MPI_SUCCESS && found && *(int*)value >= 32767);
  MPI_Comm_free(&copy);
  CHECK(copy == MPI_COMM_NULL);
  MPI_Comm_free_keyval(&keyval);
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  MPI_Topo_test(line, &result);
  CHECK(result == MPI_CART);
  MPI_Comm_free(&line);

  int memory = -1, *flavor = NULL;
  MPI_Win window;
  MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  CHECK(found && *flavor == MPI_WIN_FLAVOR_CREATE);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, type, (rank + 1) % size, 0, 1, type, window);
  MPI_Win_fence(0, window);
  CHECK(memory == (rank + size - 1) % size);
  MPI_Win_free(&window);
  CHECK(window == MPI_WIN_NULL);

  MPI_File file;
  char path[64];
  snprintf(path, sizeof path, "abi.%d", size);
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) == MPI_SUCCESS);
  MPI_Status status;
  MPI_File_write_at_all(file, rank * 4, &rank, 1, type, &status);
  int back = -1, count = 0;
  MPI_File_read_at(file, rank * 4, &back, 1, type, &status);
  MPI_Get_count(&status, type, &count);
  CHECK(back == rank && count == 1);
  MPI_File_close(&file);
  CHECK(file == MPI_FILE_NULL);

  MPI_Session session;
  CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
  MPI_Session_finalize(&session);
  CHECK(session == MPI_SESSION_NULL);
}

static void errors(void) {
  const MPI_Datatype type = (MPI_Datatype)0x209;
  int x = 0, keyval = 0;
  MPI_Comm none = MPI_COMM_NULL;
  MPI_Request gone = (MPI_Request)0x100;
  MPI_File file = MPI_FILE_NULL;
  MPI_Session session = MPI_SESSION_NULL;
  FAILS(MPI_Send(&x, -1, type, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  FAILS(MPI_Send(&x, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  FAILS(MPI_Send(&x, 1, type, 0, -7, MPI_COMM_WORLD), MPI_ERR_TAG);
  FAILS(MPI_Send(&x, 1, type, size, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  FAILS(MPI_Barrier(none), MPI_ERR_COMM);
  FAILS(MPI_Bcast(&x, 1, type, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
  FAILS(MPI_Allreduce(&x, &keyval, 1, type, (MPI_Op)0x20, MPI_COMM_WORLD), MPI_ERR_OP);
  FAILS(MPI_Wait(&gone, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
  FAILS(MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &x), MPI_ERR_KEYVAL);
  FAILS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
  FAILS(MPI_File_close(&file), MPI_ERR_FILE);
  FAILS(MPI_Session_finalize(&session), MPI_ERR_SESSION);
}

int main(int argc, char** argv) {
  int granted = -1, major = -1, minor = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(granted == MPI_THREAD_FUNNELED && sizeof(MPI_Status) == 32);
  CHECK(MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS && major == 1 && minor == 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  types();
  operations();
  messages();
  objects();
  errors();
  MPI_Finalize();
  if (rank == 0) printf("abi: all as it should be\n");
  return 0;
}
