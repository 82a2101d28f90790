// SPDX-License-Identifier: Apache-2.0
// The questions that programs ask MPI: versions, threads, memory, info, handles as integers, statuses, the
// state of requests. Expected answers come from the text of MPI 4.1 and, for handles, of the ABI in MPI 5.0
// (20.3: predefined handles keep their value as integers).
#include <stdint.h>
#include <string.h>

#include "check.h"

static void versions(void) {
  int version = 0, subversion = -1, length = 0, major = 0, minor = -1;
  MPI_Get_version(&version, &subversion);
  CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  MPI_Abi_get_version(&major, &minor);
  CHECK(major == MPI_ABI_VERSION && minor == MPI_ABI_SUBVERSION);
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Get_library_version(text, &length);
  CHECK(length > 0 && (size_t)length == strlen(text) && strstr(text, "Skein"));
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0 && (size_t)length == strlen(name));
  CHECK(MPI_Wtick() > 0 && MPI_Wtick() < 1e-3);
}

static void state(void) {
  int flag = -1, provided = -1;
  MPI_Initialized(&flag);
  CHECK(flag == 1);
  MPI_Finalized(&flag);
  CHECK(flag == 0);
  MPI_Is_thread_main(&flag);
  CHECK(flag == 1);
  MPI_Query_thread(&provided);
  CHECK(provided == MPI_THREAD_SINGLE || provided == MPI_THREAD_FUNNELED);
  CHECK(MPI_Pcontrol(1) == MPI_SUCCESS);
  MPI_Comm parent = MPI_COMM_WORLD;
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);  // no process was spawned (11.8.1)
  double* memory = NULL;
  MPI_Alloc_mem(1000 * (MPI_Aint)sizeof *memory, MPI_INFO_NULL, &memory);
  for (int i = 0; i < 1000; ++i) memory[i] = i * 0.5;
  maybe_move();
  for (int i = 0; i < 1000; ++i) CHECK(memory[i] == i * 0.5);
  MPI_Free_mem(memory);
  char* place = (char*)&flag;
  MPI_Aint at, further;
  MPI_Get_address(place, &at);
  MPI_Get_address(place + 3, &further);
  CHECK(MPI_Aint_diff(further, at) == 3 && MPI_Aint_add(at, 3) == further);
}

static void info(void) {
  MPI_Info made, copy, seen;
  int count = -1, flag = -1, length = -1;
  char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
  MPI_Info_create(&made);
  MPI_Info_set(made, "first", "one");
  MPI_Info_set(made, "second", "a longer value");
  MPI_Info_set(made, "first", "uno");
  maybe_move();
  MPI_Info_dup(made, &copy);
  MPI_Info_delete(made, "first");
  MPI_Info_get_nkeys(made, &count);
  CHECK(count == 1);
  MPI_Info_get_nthkey(made, 0, key);
  CHECK(!strcmp(key, "second"));
  MPI_Info_get(made, "first", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag == 0);
  MPI_Info_get_nkeys(copy, &count);
  CHECK(count == 2);
  MPI_Info_get_nthkey(copy, 0, key);
  CHECK(!strcmp(key, "first"));
  MPI_Info_get(copy, "first", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag == 1 && !strcmp(value, "uno"));
  MPI_Info_get_valuelen(copy, "second", &length, &flag);
  CHECK(flag == 1 && length == 14);
  // The length includes the end of the string, and holds the needed length on return (MPI 4.1, 10).
  length = 9;
  MPI_Info_get_string(copy, "second", &length, value, &flag);
  CHECK(flag == 1 && length == 15 && !strcmp(value, "a longer"));
  MPI_Info_create_env(0, NULL, &seen);
  CHECK(seen != MPI_INFO_NULL);
  MPI_Info_free(&seen);

  MPI_Comm with;
  MPI_Request request;
  // A hint that a communicator knows stays until the program sets it again (MPI 4.1, 7.4.4); unknown hints
  // are dropped, as are values without meaning.
  MPI_Info_set(copy, "mpi_assert_no_any_tag", "true");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, copy, &with);
  MPI_Info_set(made, "mpi_assert_exact_length", "true");
  MPI_Info_set(made, "mpi_assert_no_any_source", "perhaps");
  MPI_Info_set(made, "mpi_memory_alloc_kinds", "none");
  MPI_Comm_set_info(with, made);
  maybe_move();
  MPI_Comm_get_info(with, &seen);
  CHECK(seen != MPI_INFO_NULL && seen != made);
  static const char* const known[][2] = {{"mpi_assert_no_any_tag", "true"},
                                         {"mpi_assert_exact_length", "true"},
                                         {"mpi_assert_no_any_source", "false"},
                                         {"mpi_assert_allow_overtaking", "false"},
                                         {"mpi_memory_alloc_kinds", "mpi,system"}};
  for (int i = 0; i < 5; ++i) {
    MPI_Info_get(seen, known[i][0], MPI_MAX_INFO_VAL, value, &flag);
    CHECK(flag == 1 && !strcmp(value, known[i][1]));
  }
  MPI_Info_get(seen, "first", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag == 0);
  MPI_Info_get(seen, "second", MPI_MAX_INFO_VAL, value, &flag);
  CHECK(flag == 0);
  MPI_Info_free(&seen);
  MPI_Comm_disconnect(&with);
  CHECK(with == MPI_COMM_NULL);
  MPI_Comm_idup_with_info(MPI_COMM_WORLD, copy, &with, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_compare(with, MPI_COMM_WORLD, &flag);
  CHECK(flag == MPI_CONGRUENT);
  MPI_Comm_free(&with);
  MPI_Info_free(&made);
  MPI_Info_free(&copy);
  CHECK(made == MPI_INFO_NULL);
}

#define SAME(Class, handle)                                                \
  do {                                                                     \
    CHECK(MPI_##Class##_f2c(MPI_##Class##_c2f(handle)) == (handle));       \
    CHECK(MPI_##Class##_fromint(MPI_##Class##_toint(handle)) == (handle)); \
  } while (0)
#define PREDEFINED(Class, handle)                                  \
  do {                                                             \
    SAME(Class, handle);                                           \
    CHECK(MPI_##Class##_toint(handle) == (int)(intptr_t)(handle)); \
  } while (0)

static void sum(void* in, void* in_out, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)in_out)[i] += ((int*)in)[i];
}
static void sum_large(void* in, void* in_out, MPI_Count* count, MPI_Datatype* type) {
  (void)type;
  for (MPI_Count i = 0; i < *count; ++i) ((int*)in_out)[i] += 10 * ((int*)in)[i];
}
static void ignore_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
}

static void handles(void) {
  PREDEFINED(Comm, MPI_COMM_WORLD);
  PREDEFINED(Comm, MPI_COMM_NULL);
  PREDEFINED(Group, MPI_GROUP_EMPTY);
  PREDEFINED(Type, MPI_DOUBLE);
  PREDEFINED(Op, MPI_SUM);
  PREDEFINED(Errhandler, MPI_ERRORS_RETURN);
  PREDEFINED(Info, MPI_INFO_NULL);
  PREDEFINED(Request, MPI_REQUEST_NULL);
  PREDEFINED(Message, MPI_MESSAGE_NO_PROC);
  PREDEFINED(File, MPI_FILE_NULL);
  PREDEFINED(Win, MPI_WIN_NULL);
  PREDEFINED(Session, MPI_SESSION_NULL);

  MPI_Comm comm;
  MPI_Group group;
  MPI_Datatype type;
  MPI_Op op, large_op;
  MPI_Errhandler handler;
  MPI_Info made;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_group(comm, &group);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Op_create(sum, 1, &op);
  MPI_Op_create_c(sum_large, 0, &large_op);
  MPI_Comm_create_errhandler(ignore_error, &handler);
  MPI_Info_create(&made);
  int got = 0;
  MPI_Irecv(&got, 1, MPI_INT, my_rank, 3, comm, &request);
  const MPI_Fint numbers[] = {MPI_Comm_c2f(comm), MPI_Group_c2f(group), MPI_Type_c2f(type),
                              MPI_Request_c2f(request)};
  maybe_move();
  CHECK(MPI_Comm_f2c(numbers[0]) == comm && MPI_Group_f2c(numbers[1]) == group);
  CHECK(MPI_Type_f2c(numbers[2]) == type && MPI_Request_f2c(numbers[3]) == request);
  SAME(Comm, comm);
  SAME(Group, group);
  SAME(Type, type);
  SAME(Op, op);
  SAME(Errhandler, handler);
  SAME(Info, made);
  SAME(Request, request);
  MPI_Send(&my_rank, 1, MPI_INT, my_rank, 3, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == my_rank);

  int commutes = -1, in[2] = {1, 2}, in_out[2] = {3, 4};
  MPI_Op_commutative(op, &commutes);
  CHECK(commutes == 1);
  MPI_Op_commutative(large_op, &commutes);
  CHECK(commutes == 0);
  MPI_Reduce_local_c(in, in_out, 2, MPI_INT, large_op);
  CHECK(in_out[0] == 13 && in_out[1] == 24);

  MPI_Message message;
  MPI_Request send;
  MPI_Isend(&my_rank, 1, MPI_INT, my_rank, 4, comm, &send);
  MPI_Mprobe(my_rank, 4, comm, &message, MPI_STATUS_IGNORE);
  SAME(Message, message);
  MPI_Mrecv(&got, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&send, MPI_STATUS_IGNORE);

  int range[1][3] = {{0, rank_count - 1, 2}}, size = -1;  // leaves out every second rank: the odd ones stay
  MPI_Group odd;
  MPI_Group_range_excl(group, 1, range, &odd);
  MPI_Group_size(odd, &size);
  CHECK(size == rank_count / 2);
  if (size > 0) {
    int first = 0, in_world = -1;
    MPI_Group_translate_ranks(odd, 1, &first, group, &in_world);
    CHECK(in_world == 1);
  }
  MPI_Group_free(&odd);
  int inter = -1, kind = -1;
  MPI_Comm_test_inter(comm, &inter);
  MPI_Topo_test(comm, &kind);
  CHECK(inter == 0 && kind == MPI_UNDEFINED);

  MPI_Info_free(&made);
  MPI_Errhandler_free(&handler);
  MPI_Op_free(&op);
  MPI_Op_free(&large_op);
  MPI_Type_free(&type);
  MPI_Group_free(&group);
  MPI_Comm_free(&comm);
}

static void cartesian(void) {
  const int dims[2] = {rank_count, 1}, periods[2] = {0, 1};
  int place = -1, kind = -1, count = -1, coords[2] = {-1, -1};
  MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &place);
  CHECK(place >= 0 && place < rank_count);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Topo_test(grid, &kind);
  MPI_Cartdim_get(grid, &count);
  MPI_Cart_coords(grid, my_rank, 2, coords);
  CHECK(kind == MPI_CART && count == 2 && coords[0] == my_rank && coords[1] == 0);
  MPI_Comm_free(&grid);
}

static int query(void* extra, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)extra);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* extra) {
  *(int*)extra = -1;
  return MPI_SUCCESS;
}
static int cancel(void* extra, int complete) {
  (void)extra;
  (void)complete;
  return MPI_SUCCESS;
}

static void statuses(void) {
  MPI_Status status;
  int count = -1, flag = -1;
  MPI_Count large = -1;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  memset(&status, 0, sizeof status);
  MPI_Status_set_elements_c(&status, pair, 5);  // two whole pairs and one int
  MPI_Get_elements(&status, pair, &count);
  CHECK(count == 5);
  MPI_Get_count(&status, pair, &count);
  CHECK(count == MPI_UNDEFINED);
  MPI_Status_set_elements_x(&status, pair, 6);
  MPI_Get_count_c(&status, pair, &large);
  CHECK(large == 3);
  MPI_Status_set_cancelled(&status, 1);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag == 1);
  MPI_Type_free(&pair);

  // Functions access members (MPI 4.1, 3.2.5); a function that sets one leaves the others.
  int source = -1, tag = -1, error = -1;
  MPI_Status_set_source(&status, 5);
  MPI_Status_set_tag(&status, 6);
  MPI_Status_set_error(&status, MPI_ERR_TRUNCATE);
  CHECK(status.MPI_SOURCE == 5 && status.MPI_TAG == 6 && status.MPI_ERROR == MPI_ERR_TRUNCATE);
  MPI_Status_get_source(&status, &source);
  MPI_Status_get_tag(&status, &tag);
  MPI_Status_get_error(&status, &error);
  CHECK(source == 5 && tag == 6 && error == MPI_ERR_TRUNCATE);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag == 1);

  // The empty status has no error (3.7.3).
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Status empty = {.MPI_SOURCE = 1, .MPI_TAG = 2, .MPI_ERROR = MPI_ERR_TRUNCATE};
  MPI_Request_get_status(none, &flag, &empty);
  CHECK(flag && empty.MPI_SOURCE == MPI_ANY_SOURCE && empty.MPI_TAG == MPI_ANY_TAG &&
        empty.MPI_ERROR == MPI_SUCCESS);
  empty.MPI_ERROR = MPI_ERR_TRUNCATE;
  MPI_Wait(&none, &empty);
  CHECK(empty.MPI_ERROR == MPI_SUCCESS);

  // A status goes to Fortran and back with all its members, public or not (19.3.5).
  MPI_Fint fortran[MPI_F_STATUS_SIZE], again[MPI_F_STATUS_SIZE];
  MPI_F08_status fortran08;
  MPI_Status back;
  memset(&back, 0, sizeof back);
  MPI_Status_c2f(&status, fortran);
  CHECK(fortran[MPI_F_SOURCE] == 5 && fortran[MPI_F_TAG] == 6 && fortran[MPI_F_ERROR] == MPI_ERR_TRUNCATE);
  MPI_Status_f2f08(fortran, &fortran08);
  MPI_Status_f082f(&fortran08, again);
  MPI_Status_f2c(again, &back);
  MPI_Test_cancelled(&back, &flag);
  MPI_Get_elements(&back, MPI_INT, &count);
  CHECK(flag == 1 && count == 6 * 2 / 2 && back.MPI_SOURCE == 5);
  MPI_Status_c2f08(&back, &fortran08);
  MPI_Status_f082c(&fortran08, &status);
  CHECK(status.MPI_SOURCE == 5 && status.MPI_TAG == 6 && status.MPI_ERROR == MPI_ERR_TRUNCATE);
  // The values that mean "no status" are no valid arguments here.
  MPI_Errhandler before;
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Status_c2f(MPI_STATUS_IGNORE, fortran)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Status_f2c(MPI_F_STATUS_IGNORE, &status)) == MPI_ERR_ARG);
  CHECK(class_of(MPI_Status_get_tag(MPI_STATUS_IGNORE, &tag)) == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, before);

  int extra = 11;
  MPI_Request request;
  MPI_Grequest_start(query, release, cancel, &extra, &request);
  MPI_Test(&request, &flag, &status);
  CHECK(flag == 0);
  maybe_move();
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 11 && extra == -1 && request == MPI_REQUEST_NULL);
}

// MPI 4.1, 3.7.6: these functions look at requests, and leave them as they are.
static void looking_at_requests(void) {
  enum { many = 3 };
  MPI_Request requests[many];
  MPI_Status found[many];
  int got[many] = {-1, -1, -1}, flag = -1, index = -1, count = -1, indices[many];
  for (int i = 0; i < many; ++i) MPI_Irecv(&got[i], 1, MPI_INT, my_rank, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Request_get_status_any(many, requests, &index, &flag, found);
  CHECK(flag == 0);
  MPI_Request_get_status_some(many, requests, &count, indices, found);
  CHECK(count == 0);
  const int value = 40 + my_rank;
  MPI_Send(&value, 1, MPI_INT, my_rank, 1, MPI_COMM_WORLD);
  maybe_move();
  MPI_Request_get_status_any(many, requests, &index, &flag, found);
  CHECK(flag == 1 && index == 1 && found[0].MPI_TAG == 1);
  MPI_Request_get_status_some(many, requests, &count, indices, found);
  CHECK(count == 1 && indices[0] == 1 && found[0].MPI_SOURCE == my_rank);
  MPI_Request_get_status_all(many, requests, &flag, found);
  CHECK(flag == 0);
  MPI_Send(&value, 1, MPI_INT, my_rank, 0, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, my_rank, 2, MPI_COMM_WORLD);
  MPI_Request_get_status_all(many, requests, &flag, found);
  CHECK(flag == 1);
  for (int i = 0; i < many; ++i) CHECK(requests[i] != MPI_REQUEST_NULL && found[i].MPI_TAG == i);
  MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < many; ++i) CHECK(got[i] == value);
}

// No rank leaves a barrier before all have come to it, by the clock that the PEs of a node share.
static void persistent_barrier(void) {
  MPI_Request request;
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < 3; ++round) {
    double came = MPI_Wtime(), last_came = 0, first_left = 0;
    MPI_Start(&request);
    maybe_move();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const double left = MPI_Wtime();
    MPI_Allreduce(&came, &last_came, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&left, &first_left, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    CHECK(last_came <= first_left);
  }
  MPI_Request_free(&request);
}

int main(int argc, char** argv) {
  int provided = -1, flag = -1;
  MPI_Initialized(&flag);
  CHECK(flag == 0);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  CHECK(provided == MPI_THREAD_SINGLE || provided == MPI_THREAD_FUNNELED);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  versions();
  state();
  info();
  handles();
  cartesian();
  statuses();
  looking_at_requests();
  persistent_barrier();
  finish("inquiry");
  MPI_Finalized(&flag);
  if (flag != 1) return 4;
  return 0;
}
