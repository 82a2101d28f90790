/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that only Open MPI has. */
#include <stdio.h>

#include "special.h"

/* Defines the functions behind MPI_COMM_DUP_FN and relatives. */
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

/* Functions for Open MPI's C++ library, which lies unchanged on top of the stand-in. */
void ompi_op_set_cxx_callback(MPI_Op op, void (*function)()) {
  (void)op;
  skein_call_last_operation_of(function);
}
#define NOT_THERE(name, what)                                                                         \
  void* name() {                                                                                      \
    fprintf(stderr,                                                                                   \
            "skein: " what " is not there for programs built for Open MPI: use MPI's C functions\n"); \
    abort();                                                                                          \
  }
NOT_THERE(ompi_attr_create_keyval, "Create_keyval() of MPI's C++ bindings")
NOT_THERE(ompi_errhandler_create, "Create_errhandler() of MPI's C++ bindings")
NOT_THERE(ompi_errhandler_invoke, "a C++ exception of MPI")
