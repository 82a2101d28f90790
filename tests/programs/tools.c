// SPDX-License-Identifier: Apache-2.0
// The tool interface (MPI 4.1, chapter 15), before MPI_Init, beside it and after MPI_Finalize, while ranks
// move; and MPI's answers about the ABI and the hardware.
#include <string.h>

#include "check.h"

#define FAILS(call, wanted) CHECK((call) == (wanted))

static int index_of(const char* name, int what) {
  int index = -1;
  CHECK(MPI_T_pvar_get_index(name, what, &index) == MPI_SUCCESS && index >= 0);
  return index;
}

static void uninitialised(void) {
  int number;
  MPI_T_pvar_session session;
  FAILS(MPI_T_cvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_pvar_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_pvar_session_create(&session), MPI_T_ERR_NOT_INITIALIZED);
  FAILS(MPI_T_category_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
#if MPI_VERSION >= 4
  FAILS(MPI_T_event_get_num(&number), MPI_T_ERR_NOT_INITIALIZED);
#endif
  FAILS(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
}

/// Checks that all control variables can be found, described and read, and none be written.
static void controls(int ranks) {
  int count = 0, found_ranks = 0;
  MPI_T_cvar_get_num(&count);
  CHECK(count > 0);
  for (int i = 0; i < count; ++i) {
    char name[200], text[400], part[4] = "###";
    int length = sizeof name, text_length = sizeof text, verbosity, bind, scope, again = -1, number = -1,
        value = -7;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_cvar_handle handle;
    CHECK(MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &items, text, &text_length, &bind,
                              &scope) == MPI_SUCCESS);
    CHECK(length == (int)strlen(name) + 1 && text_length == (int)strlen(text) + 1 && type == MPI_INT);
    CHECK(bind == MPI_T_BIND_NO_OBJECT && scope == MPI_T_SCOPE_CONSTANT && items == MPI_T_ENUM_NULL);
    CHECK(verbosity == MPI_T_VERBOSITY_USER_DETAIL);
    int room = sizeof part;
    MPI_T_cvar_get_info(i, part, &room, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    CHECK(strlen(part) == 3 && strncmp(part, name, 3) == 0 && room == length);
    CHECK(MPI_T_cvar_get_index(name, &again) == MPI_SUCCESS && again == i);
    CHECK(MPI_T_cvar_handle_alloc(i, NULL, &handle, &number) == MPI_SUCCESS && number == 1);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value >= 0);
    if (strcmp(name, "skein_ranks") == 0 && ranks > 0) {
      CHECK(value == ranks);
      found_ranks = 1;
    }
    FAILS(MPI_T_cvar_write(handle, &value), MPI_T_ERR_CVAR_SET_NEVER);
    const MPI_T_cvar_handle freed = handle;
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS && handle == MPI_T_CVAR_HANDLE_NULL);
    FAILS(MPI_T_cvar_read(freed, &value), MPI_T_ERR_INVALID_HANDLE);
  }
  CHECK(found_ranks || ranks == 0);
  int index;
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  FAILS(MPI_T_cvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_cvar_get_index("no such variable", &index), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_cvar_handle_alloc(-1, NULL, &handle, &index), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_cvar_write(handle, &index), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_cvar_handle_free(&handle), MPI_T_ERR_INVALID_HANDLE);
}

static unsigned long read_count(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  unsigned long value = 0;
  CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
  return value;
}

/// Checks what each variable is, and which uses are refused.
static void describe(void) {
  int count = 0;
  MPI_T_pvar_session session, other;
  MPI_T_pvar_get_num(&count);
  CHECK(count > 0);
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_session_create(&other);
  for (int i = 0; i < count; ++i) {
    char name[200], text[400];
    int length = sizeof name, text_length = sizeof text, verbosity, what, bind, readonly, continuous, atomic;
    int again = -1, number = -1;
    MPI_Datatype type;
    MPI_T_enum items;
    MPI_T_pvar_handle handle;
    MPI_T_pvar_get_info(i, name, &length, &verbosity, &what, &type, &items, text, &text_length, &bind,
                        &readonly, &continuous, &atomic);
    CHECK(length == (int)strlen(name) + 1 && text_length == (int)strlen(text) + 1);
    CHECK(type == (what == MPI_T_PVAR_CLASS_TIMER   ? MPI_DOUBLE
                   : what == MPI_T_PVAR_CLASS_STATE ? MPI_INT
                                                    : MPI_UNSIGNED_LONG));
    CHECK(readonly == 1 && continuous == 1 && atomic == 0 && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(verbosity == MPI_T_VERBOSITY_USER_BASIC);
    CHECK(MPI_T_pvar_get_index(name, what, &again) == MPI_SUCCESS && again == i);
    FAILS(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_PERCENTAGE, &again), MPI_T_ERR_INVALID_NAME);
    double room = -1;
    CHECK(MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &number) == MPI_SUCCESS && number == 1);
    CHECK(MPI_T_pvar_read(session, handle, &room) == MPI_SUCCESS);
    FAILS(MPI_T_pvar_read(other, handle, &room), MPI_T_ERR_INVALID_HANDLE);
    FAILS(MPI_T_pvar_start(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
    FAILS(MPI_T_pvar_stop(session, handle), MPI_T_ERR_PVAR_NO_STARTSTOP);
    FAILS(MPI_T_pvar_reset(session, handle), MPI_T_ERR_PVAR_NO_WRITE);
    FAILS(MPI_T_pvar_write(session, handle, &room), MPI_T_ERR_PVAR_NO_WRITE);
    FAILS(MPI_T_pvar_readreset(session, handle, &room), MPI_T_ERR_PVAR_NO_WRITE);
    if (i % 2)
      CHECK(MPI_T_pvar_handle_free(session, &handle) == MPI_SUCCESS && handle == MPI_T_PVAR_HANDLE_NULL);
    if (i == 0) {
      MPI_T_pvar_session freed = session;
      CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
      CHECK(MPI_T_pvar_session_free(&freed) == MPI_SUCCESS && freed == MPI_T_PVAR_SESSION_NULL);
      FAILS(MPI_T_pvar_read(session, handle, &room), MPI_T_ERR_INVALID_SESSION);
      MPI_T_pvar_session_create(&session);
    }
  }
  int number;
  MPI_T_pvar_handle handle;
  FAILS(MPI_T_pvar_handle_alloc(session, count, NULL, &handle, &number), MPI_T_ERR_INVALID_INDEX);
  MPI_T_pvar_session_free(&session);
  MPI_T_pvar_session_free(&other);
  FAILS(MPI_T_pvar_session_free(&other), MPI_T_ERR_INVALID_SESSION);
}

/// Checks that counters go up by what the rank does, wherever it is.
static void counters(void) {
  MPI_T_pvar_session session;
  MPI_T_pvar_handle messages, bytes, unexpected, posted, points, pe, moves, waited;
  int number;
  MPI_T_pvar_session_create(&session);
  MPI_T_pvar_handle_alloc(session, index_of("skein_messages_sent", MPI_T_PVAR_CLASS_COUNTER), NULL, &messages,
                          &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_bytes_sent", MPI_T_PVAR_CLASS_COUNTER), NULL, &bytes,
                          &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_unexpected_messages", MPI_T_PVAR_CLASS_LEVEL), NULL,
                          &unexpected, &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_posted_receives", MPI_T_PVAR_CLASS_LEVEL), NULL, &posted,
                          &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_sync_points", MPI_T_PVAR_CLASS_COUNTER), NULL, &points,
                          &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_pe", MPI_T_PVAR_CLASS_STATE), NULL, &pe, &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_moves", MPI_T_PVAR_CLASS_COUNTER), NULL, &moves, &number);
  MPI_T_pvar_handle_alloc(session, index_of("skein_time_waited", MPI_T_PVAR_CLASS_TIMER), NULL, &waited,
                          &number);
  for (int round = 0; round < 4; ++round) {
    const int next = (my_rank + 1) % rank_count, before = (my_rank + rank_count - 1) % rank_count;
    char out[300] = "", in[300];
    MPI_Request request;
    const unsigned long sent = read_count(session, messages), sent_bytes = read_count(session, bytes);
    MPI_Isend(out, 300, MPI_CHAR, next, 1, MPI_COMM_WORLD, &request);
    MPI_Send(out, 10, MPI_CHAR, next, 2, MPI_COMM_WORLD);
    CHECK(read_count(session, messages) == sent + 2 && read_count(session, bytes) == sent_bytes + 310);
    MPI_Status status;
    MPI_Probe(before, 2, MPI_COMM_WORLD, &status);  // the other message has arrived, too
    CHECK(read_count(session, unexpected) >= 2 && read_count(session, posted) == 0);
    MPI_Recv(in, 300, MPI_CHAR, before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(in, 300, MPI_CHAR, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 300, MPI_CHAR, before, 3, MPI_COMM_WORLD, &request);
    CHECK(read_count(session, posted) == 1);
    MPI_Barrier(MPI_COMM_WORLD);  // before it no rank sends the message for the receive
    const unsigned long passed = read_count(session, points), moved = read_count(session, moves);
    int place = -1, where = -1;
    double time = -1, later = -1;
    CHECK(MPI_T_pvar_read(session, pe, &place) == MPI_SUCCESS && place >= 0);
    CHECK(MPI_T_pvar_read(session, waited, &time) == MPI_SUCCESS && time >= 0);
    maybe_move();
    CHECK(read_count(session, points) == passed + 1);
    CHECK(MPI_T_pvar_read(session, pe, &where) == MPI_SUCCESS && where >= 0);
    CHECK(read_count(session, moves) == moved + (where != place));
    CHECK(MPI_T_pvar_read(session, waited, &later) == MPI_SUCCESS && later >= 0 && later <= MPI_Wtime());
    MPI_Send(out, 1, MPI_CHAR, next, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_T_pvar_session_free(&session);
}

/// Checks that each variable is in one category.
static void categories(void) {
  int count = 0, cvars = 0, pvars = 0, all_cvars = 0, all_pvars = 0, number = -1;
  MPI_T_category_get_num(&count);
  MPI_T_cvar_get_num(&all_cvars);
  MPI_T_pvar_get_num(&all_pvars);
  for (int i = 0; i < count; ++i) {
    char name[100], text[200];
    int length = sizeof name, text_length = sizeof text, own_cvars, own_pvars, inside, again = -1, list[64];
    CHECK(MPI_T_category_get_info(i, name, &length, text, &text_length, &own_cvars, &own_pvars, &inside) ==
          MPI_SUCCESS);
    CHECK(inside == 0 && MPI_T_category_get_index(name, &again) == MPI_SUCCESS && again == i);
    CHECK(MPI_T_category_get_cvars(i, 64, list) == MPI_SUCCESS);
    for (int k = 0; k < own_cvars; ++k) CHECK(list[k] >= 0 && list[k] < all_cvars);
    CHECK(MPI_T_category_get_pvars(i, 64, list) == MPI_SUCCESS);
    for (int k = 0; k < own_pvars; ++k) CHECK(list[k] >= 0 && list[k] < all_pvars);
    CHECK(MPI_T_category_get_categories(i, 64, list) == MPI_SUCCESS);
#if MPI_VERSION >= 4
    CHECK(MPI_T_category_get_events(i, 64, list) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_num_events(i, &number) == MPI_SUCCESS && number == 0);
#endif
    cvars += own_cvars;
    pvars += own_pvars;
  }
  CHECK(cvars == all_cvars && pvars == all_pvars);
  CHECK(MPI_T_category_changed(&number) == MPI_SUCCESS);
  FAILS(MPI_T_category_get_index("nothing", &number), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_category_get_pvars(count, 1, &number), MPI_T_ERR_INVALID_INDEX);
}

#if MPI_VERSION >= 4
static void on_event(MPI_T_event_instance instance, MPI_T_event_registration registration,
                     MPI_T_cb_safety safety, void* data) {
  (void)instance, (void)registration, (void)safety, (void)data;
}

/// Checks that there are no events and sources.
static void events(void) {
  int number = -1;
  MPI_Count time;
  MPI_Info info;
  MPI_T_event_registration none = NULL;
  const MPI_T_cb_safety safety = MPI_T_CB_REQUIRE_NONE;
  CHECK(MPI_T_event_get_num(&number) == MPI_SUCCESS && number == 0);
  CHECK(MPI_T_source_get_num(&number) == MPI_SUCCESS && number == 0);
  FAILS(MPI_T_event_get_index("event", &number), MPI_T_ERR_INVALID_NAME);
  FAILS(MPI_T_event_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &none), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_event_handle_free(none, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_handle_get_info(none, &info), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_handle_set_info(none, MPI_INFO_NULL), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_register_callback(none, safety, MPI_INFO_NULL, NULL, on_event), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_callback_get_info(none, safety, &info), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_callback_set_info(none, safety, MPI_INFO_NULL), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_set_dropped_handler(none, NULL), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_read(NULL, 0, &number), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_copy(NULL, &number), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_get_timestamp(NULL, &time), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_event_get_source(NULL, &number), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_source_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), MPI_T_ERR_INVALID_INDEX);
  FAILS(MPI_T_source_get_timestamp(0, &time), MPI_T_ERR_INVALID_INDEX);
}
#endif

/// Checks that there are no enumerations.
static void enumerations(void) {
  int number, value;
  FAILS(MPI_T_enum_get_info(MPI_T_ENUM_NULL, &number, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
  FAILS(MPI_T_enum_get_item(MPI_T_ENUM_NULL, 0, &value, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
}

static void interface(int ranks) {
  int provided = -1;
  CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SINGLE);
  CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
  CHECK(MPI_T_finalize() == MPI_SUCCESS);
  controls(ranks);
  describe();
  categories();
#if MPI_VERSION >= 4
  events();
#endif
  enumerations();
  CHECK(MPI_T_finalize() == MPI_SUCCESS);
  uninitialised();
}

#ifdef MPI_ABI_VERSION
static void check_key(MPI_Info info, const char* key, const char* wanted) {
  char value[64] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  CHECK(flag && strcmp(value, wanted) == 0);
}

static void abi(void) {
  MPI_Info info;
  MPI_Abi_get_info(&info);
  check_key(info, "mpi_aint_size", sizeof(MPI_Aint) == 8 ? "8" : "4");
  check_key(info, "mpi_count_size", sizeof(MPI_Count) == 8 ? "8" : "4");
  check_key(info, "mpi_offset_size", sizeof(MPI_Offset) == 8 ? "8" : "4");
  MPI_Info_free(&info);
  MPI_Abi_get_fortran_info(&info);
  check_key(info, "mpi_logical_size", "4");
  check_key(info, "mpi_integer_size", sizeof(MPI_Fint) == 4 ? "4" : "8");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(class_of(MPI_Abi_set_fortran_info(info)), MPI_ERR_ABI);
  MPI_Info_free(&info);
  int yes = -1, no = -1, is_set = -1;
  signed char byte_yes = -1, byte_no = -1;
  CHECK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &is_set) == MPI_SUCCESS && yes == 1 && no == 0 &&
        is_set == 1);
  CHECK(MPI_Abi_get_fortran_booleans(1, &byte_yes, &byte_no, &is_set) == MPI_SUCCESS && byte_yes == 1 &&
        byte_no == 0);
  FAILS(class_of(MPI_Abi_get_fortran_booleans(3, &yes, &no, &is_set)), MPI_ERR_ARG);
  FAILS(class_of(MPI_Abi_set_fortran_booleans(4, &yes, &no)), MPI_ERR_ABI);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Get_hw_resource_info(&info);
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  CHECK(keys > 0);
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY];
    MPI_Info_get_nthkey(info, i, key);
    check_key(info, key, "false");
  }
  MPI_Info_free(&info);
}
#endif

int main(int argc, char** argv) {
  uninitialised();
  interface(0);
  begin(&argc, &argv);
  interface(rank_count);
  int provided;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  counters();
  MPI_T_finalize();
#ifdef MPI_ABI_VERSION
  abi();
#endif
  maybe_move();
  MPI_Finalize();
  interface(rank_count);
  if (my_rank == 0) printf("tools: all as it should be\n");
  return 0;
}
