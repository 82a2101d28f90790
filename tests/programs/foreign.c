/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with the compiler wrapper of another MPI: every kind of handle, constant, status and callback
   goes there and back. Each rank moves between the parts if there is MPI_Migrate(). */
#include <string.h>

/* A function of Skein, which the other mpi.h does not have. Without Skein the program does not move. */
extern int MPI_Migrate(void);

#include "check.h"

static MPI_Comm world_of_data = MPI_COMM_WORLD; /* an address that the linker fills in */
static const MPI_Datatype types_of_data[] = {MPI_INT, MPI_DOUBLE};

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  CHECK(*type == MPI_DOUBLE);
  for (int i = 0; i < *count; ++i) ((double*)inout)[i] += ((double*)in)[i];
}

static void messages(void) {
  int from[2] = {-1, -1};
  const int right = (my_rank + 1) % rank_count, left = (my_rank + rank_count - 1) % rank_count;
  MPI_Request requests[5];
  MPI_Status statuses[5];
  MPI_Irecv(&from[0], 1, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from[1], 1, MPI_INT, right, 8, world_of_data, &requests[1]);
  MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[4]);
  maybe_move();
  MPI_Isend(&my_rank, 1, types_of_data[0], right, 7, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&my_rank, 1, MPI_INT, left, 8, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(5, requests, statuses);
  int count = 0;
  CHECK(MPI_Get_count(&statuses[0], MPI_INT, &count) == MPI_SUCCESS && count == 1);
  CHECK(from[0] == left && from[1] == right && statuses[0].MPI_SOURCE == left && statuses[0].MPI_TAG == 7);
  CHECK(statuses[4].MPI_SOURCE == MPI_PROC_NULL && statuses[4].MPI_TAG == MPI_ANY_TAG);
  for (int i = 0; i < 5; ++i) CHECK(requests[i] == MPI_REQUEST_NULL);
  MPI_Message message;
  MPI_Send(&my_rank, 1, MPI_INT, right, 9, MPI_COMM_WORLD);
  MPI_Mprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(&from[0], 1, MPI_INT, &message, &statuses[0]);
  CHECK(message == MPI_MESSAGE_NULL && from[0] == left && statuses[0].MPI_SOURCE == left);
  int index = 0;
  CHECK(MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS && index == MPI_UNDEFINED);
}

static void collectives(void) {
  const double mine = my_rank;
  double sum = 0, last = my_rank;
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  CHECK(sum == rank_count * (rank_count - 1) / 2);
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  maybe_move();
  MPI_Allreduce(MPI_IN_PLACE, &last, 1, types_of_data[1], MPI_MAX, MPI_COMM_WORLD);
  CHECK(last == rank_count - 1);
  struct {
    double value;
    int rank;
  } most = {mine, my_rank};
  MPI_Request request;
  MPI_Iallreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(most.rank == rank_count - 1);
  int ones[64], out[64], counts[64], places[64];
  MPI_Datatype types[64];
  for (int i = 0; i < rank_count; ++i)
    ones[i] = my_rank, counts[i] = 1, places[i] = 4 * i, types[i] = MPI_INT;
  MPI_Alltoallw(ones, counts, places, types, out, counts, places, types, MPI_COMM_WORLD);
  for (int i = 0; i < rank_count; ++i) CHECK(out[i] == i);
}

static int copied, removed, kept = 17;
static int copy(MPI_Comm comm, int keyval, void* state, void* value, void* result, int* flag) {
  CHECK(comm == MPI_COMM_WORLD && keyval != MPI_KEYVAL_INVALID && state == &kept);
  ++copied;
  *(void**)result = value;
  *flag = 1;
  return MPI_SUCCESS;
}
static int drop(MPI_Comm comm, int keyval, void* value, void* state) {
  CHECK(comm != MPI_COMM_NULL && keyval != MPI_KEYVAL_INVALID && value == &kept && state == &kept);
  ++removed;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int key = 0, other = 0, flag = 0;
  void* value = NULL;
  MPI_Comm duplicate;
  MPI_Comm_create_keyval(copy, drop, &key, &kept);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &other, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &kept);
  MPI_Comm_set_attr(MPI_COMM_WORLD, other, &copied);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  maybe_move();
  MPI_Comm_get_attr(duplicate, key, &value, &flag);
  CHECK(flag && value == &kept && copied == 1);
  MPI_Comm_get_attr(duplicate, other, &value, &flag);
  CHECK(flag && value == &copied);
  MPI_Comm_free(&duplicate);
  CHECK(removed == 1 && duplicate == MPI_COMM_NULL);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, other);
  MPI_Comm_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
  CHECK(flag && *(int*)value >= 32767);
}

static int handled;
static void handle(MPI_Comm* comm, int* code, ...) {
  int error = 0;
  CHECK(*comm == MPI_COMM_WORLD);
  MPI_Error_class(*code, &error);
  handled = error;
}

static void errors(void) {
  MPI_Errhandler mine, old;
  int error = 0;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_create_errhandler(handle, &mine);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &old);
  CHECK(old == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, mine);
  maybe_move();
  MPI_Send(&error, 1, MPI_INT, rank_count + 5, 0, MPI_COMM_WORLD);
  CHECK(handled == MPI_ERR_RANK);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Send(&error, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
  MPI_Error_class(MPI_Send(&error, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), &error);
  CHECK(error == MPI_ERR_TYPE);
  MPI_Error_class(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), &error);
#ifdef MPI_ERR_ERRHANDLER
  CHECK(error == MPI_ERR_ERRHANDLER);
#else /* as it was before MPI 4.1 */
  CHECK(error == MPI_ERR_ARG);
#endif
  int length = 0;
  MPI_Error_string(MPI_ERR_IN_STATUS, text, &length);
  CHECK(length > 0 && length < MPI_MAX_ERROR_STRING && (int)strlen(text) == length);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, old);
  MPI_Errhandler_free(&mine);
  CHECK(mine == MPI_ERRHANDLER_NULL);
}

static void communicators(void) {
  MPI_Comm half, grid;
  MPI_Group all, few;
  int result = 0, first = 0, translated = 0, up = 0, down = 0;
  const int size[] = {rank_count}, open[] = {0};
  MPI_Comm_split(MPI_COMM_WORLD, my_rank == 0 ? MPI_UNDEFINED : 1, 0, &half);
  CHECK((half == MPI_COMM_NULL) == (my_rank == 0));
  if (my_rank > 0) MPI_Comm_free(&half);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &result);
  CHECK(result == (rank_count == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Cart_create(MPI_COMM_WORLD, 1, size, open, 0, &grid);
  maybe_move();
  MPI_Cart_shift(grid, 0, 1, &down, &up);
  CHECK((down == MPI_PROC_NULL) == (my_rank == 0) && (up == MPI_PROC_NULL) == (my_rank == rank_count - 1));
  MPI_Topo_test(grid, &result);
  CHECK(result == MPI_CART);
  MPI_Topo_test(MPI_COMM_WORLD, &result);
  CHECK(result == MPI_UNDEFINED);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_excl(all, 1, &first, &few);
  MPI_Group_translate_ranks(all, 1, &first, few, &translated);
  CHECK(translated == MPI_UNDEFINED);
  MPI_Group_free(&few);
  MPI_Group_free(&all);
  MPI_Comm_free(&grid);
  CHECK(all == MPI_GROUP_NULL && grid == MPI_COMM_NULL);
  MPI_Info info;
  char value[8] = "";
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_get(info, "key", 7, value, &result);
  CHECK(result && !strcmp(value, "value"));
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
}

static void types(void) {
  MPI_Datatype pair, fields, parts[4];
  int integers = 0, addresses = 0, datatypes = 0, combiner = 0, length[2] = {1, 2}, values[4];
  const MPI_Aint places[2] = {0, 8};
  MPI_Aint found[4];
  MPI_Type_create_struct(2, length, places, types_of_data, &fields);
  MPI_Type_commit(&fields);
  MPI_Type_get_envelope(fields, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_STRUCT && datatypes == 2);
  MPI_Type_get_contents(fields, integers, addresses, datatypes, values, found, parts);
  CHECK(parts[0] == MPI_INT && parts[1] == MPI_DOUBLE);
  MPI_Type_free(&fields);
  CHECK(fields == MPI_DATATYPE_NULL);
  const int sizes[2] = {4, 6}, sub[2] = {2, 3}, starts[2] = {1, 1};
  int bytes = 0;
  MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_FORTRAN, MPI_INT, &pair);
  MPI_Type_size(pair, &bytes);
  CHECK(bytes == 24);
  MPI_Type_free(&pair);
}

static int query(void* state, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = *(int*)state;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* state) {
  *(int*)state = -1;
  return MPI_SUCCESS;
}
static int cancel(void* state, int complete) {
  (void)state, (void)complete;
  return MPI_SUCCESS;
}

static void others(void) {
  int state = 5, count = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &state, &request);
  maybe_move();
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == 5 && count == 3 && state == -1 && request == MPI_REQUEST_NULL);
  int* memory = NULL;
  MPI_Win window;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  *memory = 0;
  void* value = NULL;
  int flag = 0;
  MPI_Win_get_attr(window, MPI_WIN_CREATE_FLAVOR, &value, &flag);
  CHECK(flag && *(int*)value == MPI_WIN_FLAVOR_ALLOCATE);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Accumulate(&rank_count, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  if (my_rank == 0) CHECK(*memory == rank_count * rank_count);
  MPI_Win_free(&window);
  CHECK(window == MPI_WIN_NULL);
  MPI_File file;
  MPI_Offset place = 0;
  int read = -1;
  CHECK(MPI_File_open(MPI_COMM_SELF, "foreign_nowhere/x", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) !=
        MPI_SUCCESS);
  double job = MPI_Wtime();  // other jobs may run in this folder
  MPI_Bcast(&job, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  char name[64];
  snprintf(name, sizeof name, "foreign.%.9f.%d", job, my_rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_get_amode(file, &flag);
  CHECK(flag == (MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE));
  MPI_File_write(file, &my_rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  maybe_move();
  MPI_File_seek(file, -(MPI_Offset)sizeof(int), MPI_SEEK_CUR);
  MPI_File_get_position(file, &place);
  MPI_File_read(file, &read, 1, MPI_INT, &status);
  CHECK(place == 0 && read == my_rank);
  MPI_File_close(&file);
  CHECK(file == MPI_FILE_NULL);
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  CHECK(provided >= MPI_THREAD_FUNNELED);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  messages();
  collectives();
  attributes();
  errors();
  communicators();
  types();
  others();
  finish("foreign");
  return 0;
}
