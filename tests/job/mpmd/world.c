/* SPDX-License-Identifier: Apache-2.0 */
/* world N [MODE]: an MPI program that must see exactly N processes, whatever it calls. MODE `abort`:
 * process 0 ends the job; `thread`: it initialises with MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expected, here, processes;

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      fprintf(stderr, "process %d, line %d: not so: %s\n", here, __LINE__, #condition); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                     \
    }                                                                                   \
  } while (0)

static int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

static void check_communicators(void) {
  MPI_Comm dup, half, merged, inter, cart, graph, shared, made;
  int result = -1, remote = -1, length = 0;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Comm_compare(MPI_COMM_WORLD, dup, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT);
  CHECK(size_of(dup) == expected);
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
  MPI_Comm_get_parent(&made);
  CHECK(made == MPI_COMM_NULL);

  MPI_Comm_split(MPI_COMM_WORLD, here % 2, here, &half);
  CHECK(size_of(half) == (here % 2 ? expected / 2 : (expected + 1) / 2));
  if (expected > 1) {
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, here % 2 ? 0 : 1, 3, &inter);
    MPI_Comm_remote_size(inter, &remote);
    CHECK(remote + size_of(half) == expected);
    MPI_Intercomm_merge(inter, here % 2, &merged);
    CHECK(size_of(merged) == expected);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  CHECK(size_of(shared) == expected); /* the tests have one machine */
  MPI_Cart_create(MPI_COMM_WORLD, 1, &expected, (int[]){1}, 0, &cart);
  CHECK(size_of(cart) == expected);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &here, (int[]){1}, (int[]){(here + 1) % expected}, (int[]){1},
                        MPI_INFO_NULL, 0, &graph);
  CHECK(size_of(graph) == expected);
  MPI_Comm_free(&half);
  MPI_Comm_free(&shared);
  MPI_Comm_free(&cart);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&dup);
}

static void check_groups(void) {
  MPI_Group world, self;
  MPI_Comm all;
  int size = -1, mine = 0, translated = -1;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(MPI_COMM_SELF, &self);
  MPI_Group_size(world, &size);
  CHECK(size == expected);
  MPI_Group_translate_ranks(self, 1, &mine, world, &translated);
  CHECK(translated == here);
  MPI_Comm_create(MPI_COMM_WORLD, world, &all);
  CHECK(size_of(all) == expected);
  MPI_Comm_free(&all);
  MPI_Comm_create_group(MPI_COMM_WORLD, world, 7, &all);
  CHECK(size_of(all) == expected);
  MPI_Comm_free(&all);
  MPI_Group_free(&world);
  MPI_Group_free(&self);
}

static void check_messages(void) {
  const int next = (here + 1) % expected, last = (here + expected - 1) % expected;
  int sum = -1, got = -1, all[64];
  MPI_Request requests[2];
  MPI_Status status, statuses[2];
  MPI_Allreduce(&here, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == expected * (expected - 1) / 2);
  MPI_Isend(&here, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
  CHECK(got == last && status.MPI_SOURCE == last);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Send_init(&here, 1, MPI_INT, next, 6, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&got, 1, MPI_INT, last, 6, MPI_COMM_WORLD, &requests[1]);
  got = -1;
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, statuses);
  CHECK(got == last);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Iallgather(&here, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  for (int p = 0; p < expected; ++p) CHECK(all[p] == p);
}

static void check_window(void) {
  int size = -1;
  MPI_Win window;
  MPI_Group group;
  if (expected == 1) return; /* Open MPI 4.1 has no windows of one process over shared memory */
  MPI_Win_create(&size, sizeof size, sizeof size, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_get_group(window, &group);
  MPI_Group_size(group, &size);
  CHECK(size == expected);
  MPI_Group_free(&group);
  MPI_Win_free(&window);
}

static void check_file(const char* path) {
  int read = -1;
  MPI_File file;
  CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) == MPI_SUCCESS);
  MPI_File_write_at_all(file, here * (MPI_Offset)sizeof here, &here, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at_all(file, here * (MPI_Offset)sizeof here, &read, 1, MPI_INT, MPI_STATUS_IGNORE);
  CHECK(read == here);
  MPI_File_close(&file);
}

static int errors_heard;
static void hear(MPI_Comm* comm, int* code, ...) {
  (void)comm, (void)code;
  ++errors_heard;
}

static void check_errors(void) {
  MPI_Errhandler handler, found;
  int class = -1;
  MPI_Comm_create_errhandler(hear, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
  CHECK(found == handler);
  /* The reserved process is no destination. */
  const int code = MPI_Send(&here, 1, MPI_INT, expected, 0, MPI_COMM_WORLD);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RANK && errors_heard == 1);
  /* An error that belongs to no communicator. */
  MPI_Type_commit(&(MPI_Datatype){MPI_DATATYPE_NULL});
  CHECK(errors_heard == 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&handler);
}

static void check_attributes(void) {
  int keyval = MPI_KEYVAL_INVALID, flag = 0, mine = 5, *found = NULL;
  MPI_Comm dup;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found, &flag);
  CHECK(flag && *found >= 32767);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &mine);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  found = NULL, flag = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, &found, &flag);
  CHECK(flag && found == &mine);
  found = NULL, flag = 0;
  MPI_Comm_get_attr(dup, keyval, &found, &flag);
  CHECK(flag && found == &mine);
  MPI_Comm_free(&dup);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
  MPI_Comm_free_keyval(&keyval);
}

#if MPI_VERSION >= 4
static void check_sessions(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Info info;
  int size = -1, flag = 0, room = 32;
  char text[32];
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Group_size(group, &size);
  CHECK(size == expected);
  MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
  MPI_Info_get_string(info, "mpi_size", &room, text, &flag);
  CHECK(flag && atoi(text) == expected);
  MPI_Info_free(&info);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
}
#else
static void check_sessions(void) {}
#endif

int main(int argc, char** argv) {
  const char* mode = argc > 3 ? argv[3] : "";
  int provided = -1;
  if (strcmp(mode, "thread") == 0)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  else
    MPI_Init(&argc, &argv);
  expected = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  CHECK(processes == expected && here >= 0 && here < expected);
  if (strcmp(mode, "abort") == 0) {
    if (here == 0) MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  check_communicators();
  check_groups();
  check_messages();
  check_window();
  check_file(argv[2]);
  check_attributes();
  check_errors();
  check_sessions();
  MPI_Barrier(MPI_COMM_WORLD);
  printf("process %d of %d: all as it should be\n", here, processes);
  MPI_Finalize();
  return 0;
}
