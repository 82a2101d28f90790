// SPDX-License-Identifier: Apache-2.0
// Sessions (MPI 4.1, 11.3) while ranks move: several at once and in sequence, before MPI_Init, beside it and
// after MPI_Finalize. Compile with ALONE for a program that never calls MPI_Init.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int my_rank = -1, rank_count = 0;

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, my_rank, #condition); \
      exit(3);                                                                                  \
    }                                                                                           \
  } while (0)

static int class_of(int code) {
  int error_class = -1;
  MPI_Error_class(code, &error_class);
  return error_class;
}

static int calls = 0, last_class = MPI_SUCCESS;
static MPI_Session last_session;
static void handle(MPI_Session* session, int* code, ...) {
  ++calls;
  last_session = *session;
  last_class = class_of(*code);
}

static MPI_Comm comm_of(MPI_Session session, const char* set, const char* tag) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK(MPI_Group_from_session_pset(session, set, &group) == MPI_SUCCESS && group != MPI_GROUP_NULL);
  CHECK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) == MPI_SUCCESS);
  MPI_Group_free(&group);
  return comm;
}

/// Adds the numbers of all ranks, which may be elsewhere afterwards.
static void use(MPI_Comm comm) {
  int rank, size, sum = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == size * (size - 1) / 2);
  CHECK(MPI_Migrate() == MPI_SUCCESS);
  int got = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &got, 1, MPI_INT, (rank + size - 1) % size, 3, comm,
               MPI_STATUS_IGNORE);
  CHECK(got == (rank + size - 1) % size);
}

static void check_value(MPI_Info info, const char* key, const char* wanted) {
  char value[64] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  CHECK(flag && strcmp(value, wanted) == 0);
}

static void sets(MPI_Session session) {
  int count = 0, worlds = 0, selves = 0;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
  CHECK(count >= 2);
  for (int i = 0; i < count; ++i) {
    char name[MPI_MAX_PSET_NAME_LEN] = "", part[6] = "#####", size[16];
    int length = 0;
    CHECK(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL) == MPI_SUCCESS && length > 5);
    int room = length;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, name);
    CHECK((int)strlen(name) == length - 1 && room == length);
    room = 5;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &room, part);
    CHECK(strlen(part) == 4 && strncmp(part, name, 4) == 0 && room == length);
    const int world = strcmp(name, "mpi://WORLD") == 0, self = strcmp(name, "mpi://SELF") == 0;
    worlds += world;
    selves += self;
    if (!world && !self) continue;
    MPI_Info info;
    MPI_Session_get_pset_info(session, name, &info);
    snprintf(size, sizeof size, "%d", world ? rank_count : 1);
    check_value(info, "mpi_size", size);
    MPI_Info_free(&info);
  }
  CHECK(worlds == 1 && selves == 1);
}

static void errors(void) {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Errhandler handler, other;
  MPI_Group group;
  MPI_Info info;
  MPI_Session_create_errhandler(handle, &handler);
  CHECK(MPI_Session_init(MPI_INFO_NULL, handler, &session) == MPI_SUCCESS);
  MPI_Errhandler_free(&handler);
  calls = 0;
  int length = 0;
  CHECK(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 1000, &length, NULL)) == MPI_ERR_ARG);
  CHECK(calls == 1 && last_class == MPI_ERR_ARG && last_session == session);
  CHECK(class_of(MPI_Session_get_pset_info(session, "mpi://nothing", &info)) == MPI_ERR_ARG && calls == 2);
  CHECK(MPI_Group_from_session_pset(session, "mpi://nothing", &group) == MPI_SUCCESS);
  CHECK(group == MPI_GROUP_NULL && calls == 2);
  CHECK(MPI_Session_call_errhandler(session, MPI_ERR_TAG) == MPI_SUCCESS);
  CHECK(calls == 3 && last_class == MPI_ERR_TAG);
  MPI_Session_get_errhandler(session, &other);
  CHECK(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  CHECK(class_of(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &length, NULL)) == MPI_ERR_ARG &&
        calls == 3);
  MPI_Session_set_errhandler(session, other);
  MPI_Errhandler_free(&other);
  CHECK(MPI_Session_call_errhandler(session, MPI_ERR_RANK) == MPI_SUCCESS && calls == 4);
  CHECK(MPI_Session_finalize(&session) == MPI_SUCCESS && session == MPI_SESSION_NULL);
}

static void thread_levels(void) {
  static const char* const levels[][2] = {{"MPI_THREAD_SINGLE", "MPI_THREAD_SINGLE"},
                                          {"MPI_THREAD_FUNNELED", "MPI_THREAD_FUNNELED"},
                                          {"MPI_THREAD_SERIALIZED", "MPI_THREAD_SERIALIZED"},
                                          {"MPI_THREAD_MULTIPLE", "MPI_THREAD_MULTIPLE"}};
  for (int i = 0; i < 4; ++i) {
    MPI_Info wanted, granted;
    MPI_Session session;
    MPI_Info_create(&wanted);
    MPI_Info_set(wanted, "thread_level", levels[i][0]);
    MPI_Info_set(wanted, "no_such_hint", "true");
    MPI_Session_init(wanted, MPI_ERRORS_RETURN, &session);
    MPI_Info_free(&wanted);
    MPI_Session_get_info(session, &granted);
    check_value(granted, "thread_level", levels[i][1]);
    char told[8];
    int is_told;
    MPI_Info_get(granted, "no_such_hint", sizeof told - 1, told, &is_told);
    CHECK(!is_told);
    MPI_Info_free(&granted);
    MPI_Session_finalize(&session);
  }
}

/// Has two sessions at once; one ends while a communicator of the other is in use.
static void several(void) {
  MPI_Session first, second;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
  CHECK(first != second);
  MPI_Comm world = comm_of(first, "mpi://WORLD", "first"), again = comm_of(second, "mpi://WORLD", "second");
  MPI_Comm self = comm_of(second, "mpi://SELF", "self");
  MPI_Comm_rank(world, &my_rank);
  MPI_Comm_size(world, &rank_count);
  int size = -1;
  MPI_Comm_size(self, &size);
  CHECK(size == 1);
  use(world);
  use(again);
  use(self);
  sets(first);
  MPI_Comm_free(&world);
  MPI_Session_finalize(&first);
  use(again);
  MPI_Comm_disconnect(&again);
  MPI_Comm_free(&self);
  MPI_Session_finalize(&second);
  CHECK(first == MPI_SESSION_NULL && second == MPI_SESSION_NULL);
}

static void check_world(int initialized, int finalized) {
  int is_initialized = -1, is_finalized = -1;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  CHECK(is_initialized == initialized && is_finalized == finalized);
}

int main(int argc, char** argv) {
  for (int round = 0; round < 3; ++round) {
    several();
    errors();
    thread_levels();
    check_world(0, 0);
  }
#ifndef ALONE
  MPI_Session around;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &around);
  MPI_Comm outer = comm_of(around, "mpi://WORLD", "around");
  MPI_Init(&argc, &argv);
  check_world(1, 0);
  several();
  use(MPI_COMM_WORLD);
  use(outer);
  MPI_Session wrong = MPI_SESSION_NULL;
  int count;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(class_of(MPI_Session_finalize(&wrong)) == MPI_ERR_SESSION);
  CHECK(class_of(MPI_Session_get_num_psets(wrong, MPI_INFO_NULL, &count)) == MPI_ERR_SESSION);
  MPI_Finalize();
  check_world(1, 1);
  use(outer);
  MPI_Comm_free(&outer);
  MPI_Session_finalize(&around);
  several();
  check_world(1, 1);
#else
  (void)argc, (void)argv;
#endif
  if (my_rank == 0) printf("sessions: all as it should be\n");
  return 0;
}
