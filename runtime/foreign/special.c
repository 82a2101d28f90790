/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls whose arguments are functions of the program, which are called with handles of the other MPI, and
 * what else no table says. */
#include "convert.h"

/* ----------------------------------------------------------------- functions without a state of their own */

/* Skein calls one of a fixed number of functions of ours, each of which knows one of the program's. */
enum { FUNCTIONS = 64 };
typedef void Function();

/* The place of a function among those that were given before, or a new one; -1: there is none left. */
static int place_of(Function** known, Function* function) {
  for (int i = 0; i < FUNCTIONS; ++i) {
    if (!known[i]) known[i] = function;
    if (known[i] == function) return i;
  }
  return -1;
}

/* Of this rank's program. */
static struct { Function *operations[FUNCTIONS], *handlers[FUNCTIONS]; } given;

#define EACH_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X) \
  EACH_8(X, 0)  \
  EACH_8(X, 01) EACH_8(X, 02) EACH_8(X, 03) EACH_8(X, 04) EACH_8(X, 05) EACH_8(X, 06) EACH_8(X, 07)
#define FUNCTIONS_OF(n)                                                       \
  static void operate_##n(void* a, void* b, int* count, const Handle* type) { \
    Handle theirs = out(*type);                                               \
    given.operations[n](a, b, count, &theirs);                                \
  }                                                                           \
  static void handle_error_##n(const Handle* object, const int* code) {       \
    Handle theirs = out(*object);                                             \
    int error = out_error(*code);                                             \
    given.handlers[n](&theirs, &error, "");                                   \
  }
EACH(FUNCTIONS_OF)
#define OPERATE(n) (Function*)operate_##n,
#define HANDLE_ERROR(n) (Function*)handle_error_##n,
static Function* const operate[FUNCTIONS] = {EACH(OPERATE)};
static Function* const handle_error[FUNCTIONS] = {EACH(HANDLE_ERROR)};

enum { ERR_NO_MEM = 39 };

extern int skein_here_MPI_Op_create();
int PMPI_Op_create(Function* function, int commute, Handle* op) {
  const int place = place_of(given.operations, function);
  if (place < 0) return out_error(ERR_NO_MEM);
  Handle here = 0;
  const int result = skein_here_MPI_Op_create(operate[place], commute, &here);
  if (here) *op = out(here);
  return out_error(result);
}
ALIAS(MPI_Op_create)

#define ERROR_HANDLER(name)                                           \
  extern int skein_here_##name();                                     \
  int P##name(Function* function, Handle* handler) {                  \
    const int place = place_of(given.handlers, function);             \
    if (place < 0) return out_error(ERR_NO_MEM);                      \
    Handle here = 0;                                                  \
    const int result = skein_here_##name(handle_error[place], &here); \
    if (here) *handler = out(here);                                   \
    return out_error(result);                                         \
  }                                                                   \
  ALIAS(name)
ERROR_HANDLER(MPI_Comm_create_errhandler)
ERROR_HANDLER(MPI_File_create_errhandler)
ERROR_HANDLER(MPI_Win_create_errhandler)
ERROR_HANDLER(MPI_Errhandler_create)

/* ------------------------------------------------------------------------- functions with a state:
 * attributes */

typedef int CopyAttribute(Handle object, int keyval, void* state, void* value, void* copy, int* flag);
typedef int DeleteAttribute(Handle object, int keyval, void* value, void* state);
/* Of a key, for as long as there may be an attribute with it: for ever. */
struct KeyFunctions {
  CopyAttribute* copy;
  DeleteAttribute* remove;
  void* state;
};
static int copy_attribute(Handle object, int keyval, void* state, void* value, void* copy, int* flag) {
  const struct KeyFunctions* key = state;
  return in_error(key->copy(out(object), keyval, key->state, value, copy, flag));
}
static int delete_attribute(Handle object, int keyval, void* value, void* state) {
  const struct KeyFunctions* key = state;
  return in_error(key->remove(out(object), keyval, value, key->state));
}

#define KEY(name)                                                                                      \
  extern int skein_here_##name();                                                                      \
  int P##name(CopyAttribute* copy, DeleteAttribute* remove, int* keyval, void* state) {                \
    struct KeyFunctions* key = malloc(sizeof *key);                                                    \
    if (!key) return out_error(ERR_NO_MEM);                                                            \
    *key = (struct KeyFunctions){copy, remove, state};                                                 \
    return out_error(skein_here_##name(copy ? copy_attribute : NULL, remove ? delete_attribute : NULL, \
                                       keyval, (void*)key));                                           \
  }                                                                                                    \
  ALIAS(name)
KEY(MPI_Comm_create_keyval)
KEY(MPI_Type_create_keyval)
KEY(MPI_Win_create_keyval)
KEY(MPI_Keyval_create)

/* What MPI_COMM_DUP_FN and relatives are in the other MPI. */
#define PREDEFINED(kind)                                                                               \
  int OMPI_C_MPI_##kind##DUP_FN(Handle object, int keyval, void* state, void* value, void* copy,       \
                                int* flag) {                                                           \
    (void)object, (void)keyval, (void)state;                                                           \
    memcpy(copy, &value, sizeof value);                                                                \
    *flag = 1;                                                                                         \
    return 0;                                                                                          \
  }                                                                                                    \
  int OMPI_C_MPI_##kind##NULL_COPY_FN(Handle object, int keyval, void* state, void* value, void* copy, \
                                      int* flag) {                                                     \
    (void)object, (void)keyval, (void)state, (void)value, (void)copy;                                  \
    *flag = 0;                                                                                         \
    return 0;                                                                                          \
  }                                                                                                    \
  int OMPI_C_MPI_##kind##NULL_DELETE_FN(Handle object, int keyval, void* value, void* state) {         \
    (void)object, (void)keyval, (void)value, (void)state;                                              \
    return 0;                                                                                          \
  }
PREDEFINED()
PREDEFINED(COMM_)
PREDEFINED(TYPE_)
PREDEFINED(WIN_)

/* -------------------------------------------------------------------------------------- generalized requests
 */

struct Generalized {
  int (*query)(void* state, struct TheirStatus* status);
  int (*release)(void* state);
  int (*cancel)(void* state, int complete);
  void* state;
};
static int query_generalized(void* state, struct Status* status) {
  const struct Generalized* request = state;
  struct TheirStatus theirs = status_out(status);
  const int result = request->query(request->state, &theirs);
  *status = status_in(&theirs);
  return in_error(result);
}
static int release_generalized(void* state) {
  struct Generalized* request = state;
  const int result = request->release(request->state);
  free(request);
  return in_error(result);
}
static int cancel_generalized(void* state, int complete) {
  const struct Generalized* request = state;
  return in_error(request->cancel(request->state, complete));
}

extern int skein_here_MPI_Grequest_start();
int PMPI_Grequest_start(int (*query)(void*, struct TheirStatus*), int (*release)(void*),
                        int (*cancel)(void*, int), void* state, Handle* request) {
  struct Generalized* generalized = malloc(sizeof *generalized);
  if (!generalized) return out_error(ERR_NO_MEM);
  *generalized = (struct Generalized){query, release, cancel, state};
  Handle here = 0;
  const int result = skein_here_MPI_Grequest_start(query_generalized, release_generalized, cancel_generalized,
                                                   (void*)generalized, &here);
  if (here) *request = out(here);
  return out_error(result);
}
ALIAS(MPI_Grequest_start)

/* ------------------------------------------------------------------------------------ representations of
 * data */

typedef int ExtentOf(Handle type, intptr_t* extent, void* state);
typedef int Convert(void* user, Handle type, int count, void* file, int64_t position, void* state);
struct Representation {
  Convert *read, *write;
  ExtentOf* extent;
  void* state;
};
static int extent_in_file(Handle type, intptr_t* extent, void* state) {
  const struct Representation* in_file = state;
  return in_error(in_file->extent(out(type), extent, in_file->state));
}
static int read_from_file(void* user, Handle type, int count, void* file, int64_t position, void* state) {
  const struct Representation* in_file = state;
  return in_error(in_file->read(user, out(type), count, file, position, in_file->state));
}
static int write_to_file(void* user, Handle type, int count, void* file, int64_t position, void* state) {
  const struct Representation* in_file = state;
  return in_error(in_file->write(user, out(type), count, file, position, in_file->state));
}

extern int skein_here_MPI_Register_datarep();
int PMPI_Register_datarep(const char* name, Convert* read, Convert* write, ExtentOf* extent, void* state) {
  struct Representation* in_file = malloc(sizeof *in_file);
  if (!in_file) return out_error(ERR_NO_MEM);
  *in_file = (struct Representation){read, write, extent, state};
  return out_error(skein_here_MPI_Register_datarep(
      name, read ? read_from_file : NULL, write ? write_to_file : NULL, extent_in_file, (void*)in_file));
}
ALIAS(MPI_Register_datarep)

/* -----------------------------------------------------------------------------------------------------
 * others */

int PMPI_Pcontrol(const int level, ...) {
  (void)level;
  return 0;
}
ALIAS(MPI_Pcontrol)

/* A status of the other MPI's Fortran is its C status, as six INTEGERs. */
int PMPI_Status_c2f(const struct TheirStatus* c, int* fortran) {
  memcpy(fortran, c, sizeof *c);
  return 0;
}
ALIAS(MPI_Status_c2f)
int PMPI_Status_f2c(const int* fortran, struct TheirStatus* c) {
  memcpy(c, fortran, sizeof *c);
  return 0;
}
ALIAS(MPI_Status_f2c)

/* Two attributes of windows are numbers that differ. */
enum { WIN_CREATE_FLAVOR = 604, WIN_MODEL = 605 };
extern int skein_here_MPI_Win_get_attr();
int PMPI_Win_get_attr(Handle win, int keyval, void* value, int* flag) {
  static int flavor, model; /* of the last window that was asked for it */
  const int key = in_keyval(keyval), result = skein_here_MPI_Win_get_attr(in(win), key, value, flag);
  const int is_flavor = key == WIN_CREATE_FLAVOR, is_model = key == WIN_MODEL;
  if (result == 0 && *flag && (is_flavor || is_model)) {
    int* const number = is_flavor ? &flavor : &model;
    int* found;
    memcpy(&found, value, sizeof found);
    *number = is_flavor ? out_flavor(*found) : out_model(*found);
    memcpy(value, &number, sizeof number);
  }
  return out_error(result);
}
ALIAS(MPI_Win_get_attr)
