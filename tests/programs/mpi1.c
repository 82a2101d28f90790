// SPDX-License-Identifier: Apache-2.0
// Names of MPI-1 for attributes and error handlers, which later versions keep or removed and old programs
// use. type_forms.c has those for datatypes.
#include "check.h"

static int copies, errors;

static int copy(MPI_Comm comm, int key, void* extra, void* value, void* new_value, int* keep) {
  (void)comm;
  (void)key;
  CHECK(extra == &copies);
  ++copies;
  *(void**)new_value = value;
  *keep = 1;
  return MPI_SUCCESS;
}

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  int class = 0;
  MPI_Error_class(*code, &class);
  if (class == MPI_ERR_RANK) ++errors;
}

static void attributes(void) {
  MPI_Comm other;
  int key = MPI_KEYVAL_INVALID, value = 5, found = -1, *got = NULL;
  MPI_Keyval_create(copy, MPI_NULL_DELETE_FN, &key, &copies);
  MPI_Attr_put(MPI_COMM_WORLD, key, &value);
  maybe_move();
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Attr_get(other, key, &got, &found);
  CHECK(found && got == &value && copies == 1);
  MPI_Attr_delete(MPI_COMM_WORLD, key);
  MPI_Attr_get(MPI_COMM_WORLD, key, &got, &found);
  CHECK(!found);
  MPI_Comm_free(&other);
  MPI_Keyval_free(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
}

static void error_handlers(void) {
  MPI_Errhandler handler, found;
  MPI_Errhandler_create(count_error, &handler);
  MPI_Errhandler_set(MPI_COMM_WORLD, handler);
  maybe_move();
  MPI_Errhandler_get(MPI_COMM_WORLD, &found);
  CHECK(found == handler);
  MPI_Send(NULL, 0, MPI_INT, rank_count, 0, MPI_COMM_WORLD);
  CHECK(errors == 1);
  MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&found);
  MPI_Errhandler_free(&handler);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  attributes();
  error_handlers();
  finish("mpi1");
  return 0;
}
