// SPDX-License-Identifier: Apache-2.0
// `outside CALL before|after`: one call before MPI_Init or after MPI_Finalize, with errors set to be
// returned. `outside list` prints the calls. `outside allowed` makes those that work then, too (MPI 4.1,
// 11.4.1), or fail as requested.
#include <string.h>

#include "check.h"

static MPI_Comm comm = MPI_COMM_WORLD;  // after MPI_Finalize one that the program made
static MPI_Request request = MPI_REQUEST_NULL;
static MPI_Request persistent = MPI_REQUEST_NULL;
static int one = 1, other;

static void add(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)out)[i] += ((int*)in)[i];
}

#define CALLS(CALL)                                                                               \
  CALL(MPI_Comm_rank, (comm, &other))                                                             \
  CALL(MPI_Send, (&one, 1, MPI_INT, 0, 1, comm))                                                  \
  CALL(MPI_Recv, (&one, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE))                               \
  CALL(MPI_Isend, (&one, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &request))                           \
  CALL(MPI_Irecv, (&one, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, &request))                  \
  CALL(MPI_Sendrecv, (&one, 1, MPI_INT, 0, 1, &other, 1, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE)) \
  CALL(MPI_Iprobe, (0, 1, comm, &other, MPI_STATUS_IGNORE))                                       \
  CALL(MPI_Wait, (&request, MPI_STATUS_IGNORE))                                                   \
  CALL(MPI_Waitall, (0, &request, MPI_STATUSES_IGNORE))                                           \
  CALL(MPI_Waitany, (1, &request, &other, MPI_STATUS_IGNORE))                                     \
  CALL(MPI_Test, (&persistent, &other, MPI_STATUS_IGNORE))                                        \
  CALL(MPI_Start, (&persistent))                                                                  \
  CALL(MPI_Request_free, (&persistent))                                                           \
  CALL(MPI_Buffer_attach, (&other, sizeof other))                                                 \
  CALL(MPI_Barrier, (comm))                                                                       \
  CALL(MPI_Allreduce, (&one, &other, 1, MPI_INT, MPI_SUM, comm))                                  \
  CALL(MPI_Ibarrier, (comm, &request))                                                            \
  CALL(MPI_Bcast_init, (&one, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request))                      \
  CALL(MPI_Reduce_local, (&one, &other, 1, MPI_INT, MPI_SUM))                                     \
  CALL(MPI_Comm_dup, (comm, &comm))                                                               \
  CALL(MPI_Comm_free, (&comm))                                                                    \
  CALL(MPI_Comm_set_errhandler, (comm, MPI_ERRORS_RETURN))                                        \
  CALL(MPI_Cart_create, (comm, 1, (int[]){1}, (int[]){0}, 0, &comm))                              \
  CALL(MPI_Type_contiguous, (2, MPI_INT, &(MPI_Datatype){MPI_DATATYPE_NULL}))                     \
  CALL(MPI_Type_size, (MPI_INT, &other))                                                          \
  CALL(MPI_Get_address, (&other, &(MPI_Aint){0}))                                                 \
  CALL(MPI_Op_create, (add, 1, &(MPI_Op){MPI_OP_NULL}))                                           \
  CALL(MPI_Alloc_mem, (8, MPI_INFO_NULL, &(void*){NULL}))                                         \
  CALL(MPI_Query_thread, (&other))                                                                \
  CALL(MPI_Get_processor_name, ((char[MPI_MAX_PROCESSOR_NAME]){""}, &other))                      \
  CALL(MPI_Add_error_class, (&other))                                                             \
  CALL(MPI_Migrate, ())                                                                           \
  CALL(MPI_Finalize, ())

static void call(const char* name) {
#define CALL_IF_NAMED(function, arguments) \
  if (!strcmp(name, #function)) function arguments;
  CALLS(CALL_IF_NAMED)
}

static void allowed(int initialized, int finalized) {
  int flag, version, subversion, length;
  char text[MPI_MAX_LIBRARY_VERSION_STRING], value[8];
  CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && flag == initialized);
  CHECK(MPI_Finalized(&flag) == MPI_SUCCESS && flag == finalized);
  CHECK(MPI_Get_version(&version, &subversion) == MPI_SUCCESS && version == MPI_VERSION);
  CHECK(MPI_Get_library_version(text, &length) == MPI_SUCCESS && length == (int)strlen(text));
  CHECK(class_of(MPI_ERR_RANK) == MPI_ERR_RANK);
  CHECK(MPI_Error_string(MPI_ERR_RANK, text, &length) == MPI_SUCCESS && length > 0);
  MPI_Info info, copy;
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS && MPI_Info_set(info, "key", "value") == MPI_SUCCESS);
  CHECK(MPI_Info_dup(info, &copy) == MPI_SUCCESS && MPI_Info_free(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_get(copy, "key", 7, value, &flag) == MPI_SUCCESS && flag && !strcmp(value, "value"));
  CHECK(MPI_Info_delete(copy, "key") == MPI_SUCCESS && MPI_Info_get_nkeys(copy, &length) == MPI_SUCCESS);
  CHECK(length == 0 && MPI_Info_free(&copy) == MPI_SUCCESS);
  CHECK(MPI_Wtime() > 0 && MPI_Wtick() > 0);
  MPI_Session session;
  CHECK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS);
  CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS && session == MPI_SESSION_NULL);
}

int main(int argc, char** argv) {
  if (argc < 2) return 98;
  if (!strcmp(argv[1], "list")) {
#define PRINT(function, arguments) puts(#function);
    CALLS(PRINT)
    return 0;
  }
  if (!strcmp(argv[1], "allowed")) allowed(0, 0);
  if (argc > 2 && !strcmp(argv[2], "before")) call(argv[1]);
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Recv_init(&one, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &persistent);
  MPI_Finalize();
  if (!strcmp(argv[1], "allowed")) {
    allowed(1, 1);
    if (my_rank == 0) puts("allowed");
  } else {
    call(argv[1]);
  }
  return 0;
}
