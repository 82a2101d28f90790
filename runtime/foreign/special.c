/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls whose arguments are functions of the program, which are called with handles of the other MPI, and
 * others that no table describes. */
#include "special.h"

/* ----------------------------------------------------------------- functions without a state of their own */

/* Skein calls one of a fixed number of functions defined here, each of which knows one of the program's. */
enum { FUNCTIONS = 64, DIFFERING = 4 };
typedef void Function();

/* A function of the program. `with`, mostly null, calls it for a binding of another language, as
 * binding(arguments..., function). */
struct Given {
  Function *function, *with;
  int by_value; /* MPICH's C++ passes an operation's count and type by value */
};
/* Functions of this rank's program; and the last ones, for calls about them that follow at once. */
static struct {
  struct Given operations[FUNCTIONS], handlers[FUNCTIONS];
  struct Given *operation, *handler;
  struct KeyFunctions* key;
  struct Generalized* generalized;
  int attributes[DIFFERING]; /* with the other MPI's values */
} given;

/* Returns the place of a function among those given before, or a new one; -1 if none is left. */
static int place_of(struct Given* known, Function* function) {
  for (int i = 0; i < FUNCTIONS; ++i) {
    if (!known[i].function) known[i].function = function;
    if (known[i].function == function && !known[i].with) return i;
  }
  return -1;
}

#define EACH_8(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X) \
  EACH_8(X, 0)  \
  EACH_8(X, 01) EACH_8(X, 02) EACH_8(X, 03) EACH_8(X, 04) EACH_8(X, 05) EACH_8(X, 06) EACH_8(X, 07)
/* Calls an operation. Its count is an int or an MPI_Count; only the address is passed on. */
static void operate_with(const struct Given* operation, void* a, void* b, void* count, const Handle* type) {
  MPI_Datatype theirs = out_MPI_Datatype(*type);
  if (operation->by_value)
    operation->with(a, b, *(const int*)count, theirs, operation->function);
  else if (operation->with)
    operation->with(a, b, count, &theirs, operation->function);
  else
    operation->function(a, b, count, &theirs);
}
#define HANDLE_ERROR_OF(kind, number)                                                                     \
  static void handle_##kind##_error(const struct Given* handler, const Handle* object, const int* code) { \
    kind theirs = out_##kind(*object);                                                                    \
    int error = out_error(*code);                                                                         \
    if (handler->with)                                                                                    \
      handler->with(number, &theirs, &error, handler->function);                                          \
    else                                                                                                  \
      handler->function(&theirs, &error, "");                                                             \
  }
HANDLE_ERROR_OF(MPI_Comm, 0)
HANDLE_ERROR_OF(MPI_Win, 1)
HANDLE_ERROR_OF(MPI_File, 2)
HANDLE_ERROR_OF(MPI_Session, 3)

#define HANDLER_OF(kind, n)                                                \
  static void handle_##kind##_##n(const Handle* object, const int* code) { \
    handle_##kind##_error(&given.handlers[n], object, code);               \
  }
#define FUNCTIONS_OF(n)                                                        \
  static void operate_##n(void* a, void* b, void* count, const Handle* type) { \
    operate_with(&given.operations[n], a, b, count, type);                     \
  }                                                                            \
  HANDLER_OF(MPI_Comm, n) HANDLER_OF(MPI_Win, n) HANDLER_OF(MPI_File, n) HANDLER_OF(MPI_Session, n)
EACH(FUNCTIONS_OF)
#define OPERATE(n) (Function*)operate_##n,
static Function* const operate[FUNCTIONS] = {EACH(OPERATE)};

#define OPERATION(name)                                                   \
  extern int skein_here_##name();                                         \
  int P##name(Function* function, int commute, MPI_Op* op) {              \
    const int place = place_of(given.operations, function);               \
    if (place < 0) return out_error(OUR_MPI_ERR_NO_MEM);                  \
    given.operation = &given.operations[place];                           \
    Handle here = 0;                                                      \
    const int result = skein_here_##name(operate[place], commute, &here); \
    if (here) *op = out_MPI_Op(here);                                     \
    return out_error(result);                                             \
  }                                                                       \
  ALIAS(name)
OPERATION(MPI_Op_create)
OPERATION(MPI_Op_create_c)

#define ERROR_HANDLER(name, kind)                                     \
  extern int skein_here_##name();                                     \
  int P##name(Function* function, MPI_Errhandler* handler) {          \
    static Function* const handle[FUNCTIONS] = {EACH(HANDLE_##kind)}; \
    const int place = place_of(given.handlers, function);             \
    if (place < 0) return out_error(OUR_MPI_ERR_NO_MEM);              \
    given.handler = &given.handlers[place];                           \
    Handle here = 0;                                                  \
    const int result = skein_here_##name(handle[place], &here);       \
    if (here) *handler = out_MPI_Errhandler(here);                    \
    return out_error(result);                                         \
  }                                                                   \
  ALIAS(name)
#define HANDLE_MPI_Comm(n) (Function*)handle_MPI_Comm_##n,
#define HANDLE_MPI_Win(n) (Function*)handle_MPI_Win_##n,
#define HANDLE_MPI_File(n) (Function*)handle_MPI_File_##n,
#define HANDLE_MPI_Session(n) (Function*)handle_MPI_Session_##n,
ERROR_HANDLER(MPI_Comm_create_errhandler, MPI_Comm)
ERROR_HANDLER(MPI_File_create_errhandler, MPI_File)
ERROR_HANDLER(MPI_Win_create_errhandler, MPI_Win)
ERROR_HANDLER(MPI_Session_create_errhandler, MPI_Session)
ERROR_HANDLER(MPI_Errhandler_create, MPI_Comm)

void skein_call_last_operation_by(void (*binding)()) { given.operation->with = binding; }
void skein_call_last_operation_by_value(void (*binding)()) {
  given.operation->with = binding;
  given.operation->by_value = 1;
}
void skein_call_last_operation_of(void (*function)()) {
  given.operation->with = given.operation->function;
  given.operation->function = function;
}
void skein_call_last_handler_by(void (*binding)()) { given.handler->with = binding; }

/* ------------------------------------------------------------- functions with a state: attributes */

typedef int CopyAttribute();
typedef int DeleteAttribute();
/* The functions of a key. They live for ever, since an attribute may have the key. */
struct KeyFunctions {
  CopyAttribute *copy, *copy_by;
  DeleteAttribute *remove, *remove_by;
  void* state;
};

void skein_call_last_key_by(int (*copy)(), int (*remove)()) {
  given.key->copy_by = copy;
  given.key->remove_by = remove;
}

#define KEY(name, kind)                                                                                      \
  static int copy_by_##name(Handle object, int keyval, void* state, void* value, void* copy, int* flag) {    \
    const struct KeyFunctions* key = state;                                                                  \
    const kind theirs = out_##kind(object);                                                                  \
    return in_error(key->copy_by                                                                             \
                        ? key->copy_by(key->copy, theirs, keyval, key->state, BY_POINTER, value, copy, flag) \
                        : key->copy(theirs, keyval, key->state, value, copy, flag));                         \
  }                                                                                                          \
  static int remove_by_##name(Handle object, int keyval, void* value, void* state) {                         \
    const struct KeyFunctions* key = state;                                                                  \
    const kind theirs = out_##kind(object);                                                                  \
    return in_error(key->remove_by                                                                           \
                        ? key->remove_by(key->remove, theirs, keyval, BY_POINTER, value, key->state)         \
                        : key->remove(theirs, keyval, value, key->state));                                   \
  }                                                                                                          \
  extern int skein_here_##name();                                                                            \
  int P##name(CopyAttribute* copy, DeleteAttribute* remove, int* keyval, void* state) {                      \
    struct KeyFunctions* key = malloc(sizeof *key);                                                          \
    if (!key) return out_error(OUR_MPI_ERR_NO_MEM);                                                          \
    *key = (struct KeyFunctions){copy, NULL, remove, NULL, state};                                           \
    given.key = key;                                                                                         \
    return out_error(skein_here_##name(copy ? copy_by_##name : NULL, remove ? remove_by_##name : NULL,       \
                                       keyval, (void*)key));                                                 \
  }                                                                                                          \
  ALIAS(name)
/* Tells a binding that a value is a pointer: MPICH's MPIR_ATTR_PTR. */
enum { BY_POINTER = 0 };
KEY(MPI_Comm_create_keyval, MPI_Comm)
KEY(MPI_Type_create_keyval, MPI_Datatype)
KEY(MPI_Win_create_keyval, MPI_Win)
KEY(MPI_Keyval_create, MPI_Comm)

/* Converts predefined attributes whose values differ. Hands out copies of the rank, which are valid until the
 * next call. */
static void attribute_out(int key, void* value) {
  static const struct {
    int key;
    int (*out)(int);
  } differing[DIFFERING] = {{OUR_MPI_HOST, out_rank},
                            {OUR_MPI_IO, out_rank},
                            {OUR_MPI_WIN_CREATE_FLAVOR, out_flavor},
                            {OUR_MPI_WIN_MODEL, out_model}};
  for (size_t i = 0; i < DIFFERING; ++i) {
    if (differing[i].key != key) continue;
    int *found, *const handed_out = &given.attributes[i];
    memcpy(&found, value, sizeof found);
    *handed_out = differing[i].out(*found);
    memcpy(value, &handed_out, sizeof handed_out);
  }
}
#define GET_ATTRIBUTE(name, kind)                                              \
  extern int skein_here_##name();                                              \
  int P##name(kind object, int keyval, void* value, int* flag) {               \
    const int key = in_keyval(keyval);                                         \
    const int result = skein_here_##name(in_##kind(object), key, value, flag); \
    if (result == 0 && *flag) attribute_out(key, value);                       \
    return out_error(result);                                                  \
  }                                                                            \
  ALIAS(name)
GET_ATTRIBUTE(MPI_Comm_get_attr, MPI_Comm)
GET_ATTRIBUTE(MPI_Attr_get, MPI_Comm)
GET_ATTRIBUTE(MPI_Win_get_attr, MPI_Win)

/* -------------------------------------------------------------------------- generalized requests */

struct Generalized {
  int (*query)();
  int (*release)();
  int (*cancel)();
  void* state;
  int by_reference; /* for Fortran's procedures, which return their error in a last argument */
};
static int query_generalized(void* state, struct Status* status) {
  const struct Generalized* request = state;
  struct TheirStatus theirs = status_out(status);
  int result = 0;
  if (request->by_reference)
    request->query(request->state, &theirs, &result);
  else
    result = request->query(request->state, &theirs);
  *status = status_in(&theirs);
  return in_error(result);
}
static int release_generalized(void* state) {
  struct Generalized* request = state;
  int result = 0;
  if (request->by_reference)
    request->release(request->state, &result);
  else
    result = request->release(request->state);
  free(request);
  return in_error(result);
}
static int cancel_generalized(void* state, int complete) {
  const struct Generalized* request = state;
  int result = 0;
  if (request->by_reference)
    request->cancel(request->state, &complete, &result);
  else
    result = request->cancel(request->state, complete);
  return in_error(result);
}
void skein_call_last_generalized_by_reference(void) { given.generalized->by_reference = 1; }

extern int skein_here_MPI_Grequest_start();
int PMPI_Grequest_start(int (*query)(), int (*release)(), int (*cancel)(), void* state,
                        MPI_Request* request) {
  struct Generalized* generalized = malloc(sizeof *generalized);
  if (!generalized) return out_error(OUR_MPI_ERR_NO_MEM);
  *generalized = (struct Generalized){query, release, cancel, state, 0};
  given.generalized = generalized;
  Handle here = 0;
  const int result = skein_here_MPI_Grequest_start(query_generalized, release_generalized, cancel_generalized,
                                                   (void*)generalized, &here);
  if (here) *request = out_MPI_Request(here);
  return out_error(result);
}
ALIAS(MPI_Grequest_start)

/* ------------------------------------------------------------------------ representations of data */

typedef int ExtentOf(MPI_Datatype type, intptr_t* extent, void* state);
struct Representation {
  int (*read)();
  int (*write)();
  ExtentOf* extent;
  void* state;
};
static int extent_in_file(Handle type, intptr_t* extent, void* state) {
  const struct Representation* in_file = state;
  return in_error(in_file->extent(out_MPI_Datatype(type), extent, in_file->state));
}
#define REPRESENTATION(name, Count)                                                                       \
  static int read_by_##name(void* user, Handle type, Count count, void* file, int64_t position,           \
                            void* state) {                                                                \
    const struct Representation* in_file = state;                                                         \
    return in_error(in_file->read(user, out_MPI_Datatype(type), count, file, position, in_file->state));  \
  }                                                                                                       \
  static int write_by_##name(void* user, Handle type, Count count, void* file, int64_t position,          \
                             void* state) {                                                               \
    const struct Representation* in_file = state;                                                         \
    return in_error(in_file->write(user, out_MPI_Datatype(type), count, file, position, in_file->state)); \
  }                                                                                                       \
  extern int skein_here_##name();                                                                         \
  int P##name(const char* representation, int (*read)(), int (*write)(), ExtentOf* extent, void* state) { \
    struct Representation* in_file = malloc(sizeof *in_file);                                             \
    if (!in_file) return out_error(OUR_MPI_ERR_NO_MEM);                                                   \
    *in_file = (struct Representation){read, write, extent, state};                                       \
    return out_error(skein_here_##name(representation, read ? read_by_##name : NULL,                      \
                                       write ? write_by_##name : NULL, extent_in_file, (void*)in_file));  \
  }                                                                                                       \
  ALIAS(name)
REPRESENTATION(MPI_Register_datarep, int)
REPRESENTATION(MPI_Register_datarep_c, int64_t)

/* ----------------------------------------------------------------------------------------- others */

int PMPI_Pcontrol(const int level, ...) {
  (void)level;
  return 0;
}
ALIAS(MPI_Pcontrol)

/* A status of the other MPI's Fortran is its C status, as INTEGERs. */
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
