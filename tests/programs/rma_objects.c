// SPDX-License-Identifier: Apache-2.0
// Windows as objects: attributes, names, hints, groups, error handlers; and the errors of wrong calls. They
// last while ranks move.
#include <string.h>

#include "check.h"

static MPI_Win win;
static int memory[16];

#define FAILS(call, expected) CHECK(class_of(call) == (expected))

static int handled = 0;
static void handle(MPI_Win* which, int* code, ...) {
  CHECK(*which == win);
  handled = *code;
}

static int deleted = 0;
static int delete_function(MPI_Win which, int keyval, void* value, void* extra) {
  (void)keyval;
  CHECK(which == win && value == &memory[3] && extra == &deleted);
  ++deleted;
  return MPI_SUCCESS;
}

static void* attribute(int key) {
  void* value = NULL;
  int flag = 0;
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(flag);
  return value;
}

static void check_attributes(int flavor, void* base, MPI_Aint size, int unit) {
  CHECK(attribute(MPI_WIN_BASE) == base);
  CHECK(*(MPI_Aint*)attribute(MPI_WIN_SIZE) == size);
  CHECK(*(int*)attribute(MPI_WIN_DISP_UNIT) == unit);
  CHECK(*(int*)attribute(MPI_WIN_CREATE_FLAVOR) == flavor);
  CHECK(*(int*)attribute(MPI_WIN_MODEL) == MPI_WIN_UNIFIED);
}

static void check_object(void) {
  int key, flag, length;
  void* value;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_function, &key, &deleted);
  MPI_Win_get_attr(win, key, &value, &flag);
  CHECK(!flag);
  MPI_Win_set_attr(win, key, &memory[3]);
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 0 && name[0] == '\0');
  MPI_Win_set_name(win, "halo");
  maybe_move();
  MPI_Win_get_name(win, name, &length);
  CHECK(length == 4 && strcmp(name, "halo") == 0);
  CHECK(attribute(key) == &memory[3]);
  MPI_Win_delete_attr(win, key);
  CHECK(deleted == 1);
  MPI_Win_set_attr(win, key, &memory[3]);  // the end of the window deletes it
  MPI_Win_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);

  MPI_Group group, world;
  int same;
  MPI_Win_get_group(win, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &same);
  CHECK(same == MPI_IDENT);
  MPI_Group_free(&group);
  MPI_Group_free(&world);

  MPI_Info info;
  char text[64];
  MPI_Info_create(&info);
  MPI_Info_set(info, "same_size", "true");
  MPI_Win_set_info(win, info);
  MPI_Info_delete(info, "same_size");
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Info_set(info, "same_disp_unit", "perhaps");
  MPI_Info_set(info, "no_such_hint", "true");
  MPI_Win_set_info(win, info);
  MPI_Info_free(&info);
  maybe_move();
  MPI_Win_get_info(win, &info);
  MPI_Info_get(info, "accumulate_ordering", sizeof text - 1, text, &flag);
  CHECK(flag && strcmp(text, "none") == 0);
  MPI_Info_get(info, "no_locks", sizeof text - 1, text, &flag);
  CHECK(flag && strcmp(text, "false") == 0);
  MPI_Info_get(info, "same_size", sizeof text - 1, text, &flag);
  CHECK(flag && strcmp(text, "true") == 0);
  MPI_Info_get(info, "same_disp_unit", sizeof text - 1, text, &flag);
  CHECK(flag && strcmp(text, "false") == 0);
  MPI_Info_get(info, "no_such_hint", sizeof text - 1, text, &flag);
  CHECK(!flag);
  MPI_Info_free(&info);

  MPI_Errhandler handler, now;
  MPI_Win_get_errhandler(win, &now);
  CHECK(now == MPI_ERRORS_ARE_FATAL);
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Errhandler_free(&handler);
  maybe_move();
  MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
  CHECK(handled == MPI_ERR_OTHER);
  FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  CHECK(handled == MPI_ERR_RMA_SYNC);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}

static void wrong_epochs(void) {
  int x = 0, flag;
  MPI_Request request;
  MPI_Group self;
  MPI_Comm_group(MPI_COMM_SELF, &self);
  FAILS(MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  // Locks exclude other epochs, and the same lock again.
  MPI_Win_lock(MPI_LOCK_SHARED, my_rank, 0, win);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, my_rank, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
  FAILS(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
  if (rank_count > 1)
    FAILS(MPI_Get(&x, 1, MPI_INT, (my_rank + 1) % rank_count, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  maybe_move();
  MPI_Win_unlock(my_rank, win);
  // Requests are for passive targets.
  MPI_Win_fence(0, win);
  FAILS(MPI_Rput(&x, 1, MPI_INT, my_rank, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
  MPI_Put(&x, 1, MPI_INT, my_rank, 0, 1, MPI_INT, win);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, my_rank, 0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  FAILS(MPI_Put(&x, 1, MPI_INT, my_rank, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  MPI_Win_post(self, 0, win);
  FAILS(MPI_Win_post(self, 0, win), MPI_ERR_RMA_SYNC);
  MPI_Win_start(self, 0, win);
  if (rank_count > 1)
    FAILS(MPI_Put(&x, 1, MPI_INT, (my_rank + 1) % rank_count, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&self);
}

static void wrong_arguments(void) {
  int x = 0;
  double d = 0;
  MPI_Win other;
  MPI_Aint size;
  int unit;
  void* base;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  FAILS(MPI_Win_create(memory, -1, 4, MPI_INFO_NULL, comm, &other), MPI_ERR_SIZE);
  FAILS(MPI_Win_create(memory, 4, 0, MPI_INFO_NULL, comm, &other), MPI_ERR_DISP);
  FAILS(MPI_Win_allocate(8, -1, MPI_INFO_NULL, comm, &base, &other), MPI_ERR_DISP);
  MPI_Comm_free(&comm);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  FAILS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  FAILS(MPI_Win_fence(MPI_MODE_NOCHECK, win), MPI_ERR_ASSERT);
  FAILS(MPI_Win_lock(7, 0, 0, win), MPI_ERR_LOCKTYPE);
  FAILS(MPI_Win_lock(MPI_LOCK_SHARED, rank_count, 0, win), MPI_ERR_RANK);
  FAILS(MPI_Win_attach(win, memory, 4), MPI_ERR_RMA_FLAVOR);
  FAILS(MPI_Win_detach(win, memory), MPI_ERR_RMA_FLAVOR);
  // The program's own memory can be shared, too, if memory can be shared at all (MPI 4.1, 12.2.3).
  CHECK(MPI_Win_shared_query(win, my_rank, &size, &unit, &base) == MPI_SUCCESS);
  CHECK(size == sizeof memory && unit == sizeof(int) && base == memory);
  CHECK(MPI_Win_shared_query(win, (my_rank + 1) % rank_count, &size, &unit, &base) == MPI_SUCCESS);
  CHECK((size == 0 && base == NULL) || (size == sizeof memory && base != NULL));
  MPI_Win_lock_all(0, win);
  FAILS(MPI_Put(&x, 1, MPI_INT, rank_count, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  FAILS(MPI_Put(&x, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  FAILS(MPI_Put(&x, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
  FAILS(MPI_Put(&x, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
  FAILS(MPI_Put(&x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  FAILS(MPI_Put(&d, 1, MPI_DOUBLE, 0, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
  FAILS(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
  FAILS(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MINLOC, win), MPI_ERR_OP);
  FAILS(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK(MPI_Accumulate(&x, 0, MPI_INT, 0, 0, 0, MPI_FLOAT, MPI_SUM, win) == MPI_SUCCESS);  // of nothing
  FAILS(MPI_Compare_and_swap(&d, &d, &d, MPI_DOUBLE, 0, 0, win), MPI_ERR_TYPE);
  // An access beyond the end of the window: the call reports it, or, for a remote target, the next call that
  // completes it.
  for (int target = 0; target < rank_count; target++) {
    const int error = MPI_Put(&x, 1, MPI_INT, target, 16, 1, MPI_INT, win);
    const int later = MPI_Win_flush(target, win);
    CHECK((class_of(error) == MPI_ERR_RMA_RANGE && later == MPI_SUCCESS) ||
          (error == MPI_SUCCESS && class_of(later) == MPI_ERR_RMA_RANGE));
  }
  MPI_Win_unlock_all(win);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(MPI_WIN_FLAVOR_CREATE, memory, sizeof memory, sizeof(int));
  check_object();
  check_attributes(MPI_WIN_FLAVOR_CREATE, memory, sizeof memory, sizeof(int));
  wrong_epochs();
  maybe_move();
  wrong_arguments();
  MPI_Win_free(&win);
  CHECK(deleted == 2);

  void* base = NULL;
  MPI_Win_allocate(24, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
  check_attributes(MPI_WIN_FLAVOR_ALLOCATE, base, 24, 8);
  MPI_Win_free(&win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  check_attributes(MPI_WIN_FLAVOR_DYNAMIC, MPI_BOTTOM, 0, 1);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Aint size;
  int unit;
  FAILS(MPI_Win_shared_query(win, 0, &size, &unit, &base), MPI_ERR_RMA_FLAVOR);
  /* With memory on either side of it. */
  static int pieces[40];
  MPI_Win_attach(win, &pieces[20], 40);
  MPI_Win_attach(win, pieces, 16);
  MPI_Win_attach(win, &pieces[30], 16);
  MPI_Win_attach(win, memory, 16);
  FAILS(MPI_Win_attach(win, &memory[3], 16), MPI_ERR_RMA_ATTACH);
  FAILS(MPI_Win_attach(win, &pieces[3], 4), MPI_ERR_RMA_ATTACH);
  FAILS(MPI_Win_attach(win, &pieces[19], 8), MPI_ERR_RMA_ATTACH);
  FAILS(MPI_Win_attach(win, &pieces[25], 4), MPI_ERR_RMA_ATTACH);
  FAILS(MPI_Win_attach(win, &pieces[4], 80), MPI_ERR_RMA_ATTACH);
  CHECK(MPI_Win_attach(win, &pieces[4], 64) == MPI_SUCCESS);
  MPI_Win_detach(win, &pieces[20]);
  CHECK(MPI_Win_attach(win, &pieces[21], 36) == MPI_SUCCESS);
  MPI_Win_detach(win, memory);
  MPI_Win_free(&win);
  MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_SELF, &base, &win);
  check_attributes(MPI_WIN_FLAVOR_SHARED, base, 8, 4);
  MPI_Win_free(&win);
  finish("rma_objects");
  return 0;
}
