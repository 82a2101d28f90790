/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that only MPICH has, and those that its own libraries for Fortran and C++ call, which lie
 * unchanged on top of the stand-in. */
#include "special.h"

int MPIR_Dup_fn(int object, int keyval, void* state, void* value, void* copy, int* flag) {
  (void)object, (void)keyval, (void)state;
  memcpy(copy, &value, sizeof value);
  *flag = 1;
  return 0;
}

/* Only files are converted by functions: all other handles are equal in both languages. */
int PMPI_File_c2f(MPI_File file) { return (int)file; }
ALIAS(MPI_File_c2f)
MPI_File PMPI_File_f2c(int file) { return (MPI_File)(unsigned)file; }
ALIAS(MPI_File_f2c)
#define SAME(name)                                                      \
  int P##name(const struct TheirStatus* from, struct TheirStatus* to) { \
    *to = *from;                                                        \
    return 0;                                                           \
  }                                                                     \
  ALIAS(name)
SAME(MPI_Status_c2f08)
SAME(MPI_Status_f082c)
SAME(MPI_Status_f2f08)
SAME(MPI_Status_f082f)

/* Attributes of Fortran: the key of a predefined one is C's plus one, and its value is no address. */
#define ATTRIBUTES(kind, name)                                                                        \
  extern int PMPI_##name##_get_attr(kind, int, void*, int*);                                          \
  extern int PMPI_##name##_set_attr(kind, int, void*);                                                \
  int MPII_##name##_get_attr(kind object, int key, void* value, int* flag, int type) {                \
    (void)type;                                                                                       \
    const int is_fortran = in_keyval(key) == key && in_keyval(key - 1) != key - 1;                    \
    const int result = PMPI_##name##_get_attr(object, is_fortran ? key - 1 : key, value, flag);       \
    const int c_key = in_keyval(key - 1);                                                             \
    if (result || !*flag || !is_fortran || c_key == OUR_MPI_WIN_BASE) return result;                  \
    const void* found;                                                                                \
    memcpy(&found, value, sizeof found);                                                              \
    const intptr_t number = c_key == OUR_MPI_WIN_SIZE ? *(const intptr_t*)found : *(const int*)found; \
    memcpy(value, &number, sizeof number);                                                            \
    return result;                                                                                    \
  }                                                                                                   \
  int MPII_##name##_set_attr(kind object, int key, void* value, int type) {                           \
    (void)type;                                                                                       \
    return PMPI_##name##_set_attr(object, key, value);                                                \
  }
ATTRIBUTES(MPI_Comm, Comm)
ATTRIBUTES(MPI_Datatype, Type)
ATTRIBUTES(MPI_Win, Win)

void MPII_Keyval_set_proxy(int key, int (*copy)(), int (*remove)()) {
  (void)key;
  skein_call_last_key_by(copy, remove);
}
void MPII_Grequest_set_lang_f77(MPI_Request request) {
  (void)request;
  skein_call_last_generalized_by_reference();
}
void MPII_Op_set_cxx(MPI_Op op, void (*binding)()) {
  (void)op;
  skein_call_last_operation_by_value(binding);
}
void MPII_Errhandler_set_cxx(MPI_Errhandler handler, void (*binding)()) {
  (void)handler;
  skein_call_last_handler_by(binding);
}

/* Extensions that its Fortran library refers to. */
#define NOT_THERE(name)                                                  \
  int P##name() { return out_error(OUR_MPI_ERR_UNSUPPORTED_OPERATION); } \
  ALIAS(name)
NOT_THERE(MPIX_Comm_agree)
NOT_THERE(MPIX_Comm_failure_ack)
NOT_THERE(MPIX_Comm_failure_get_acked)
NOT_THERE(MPIX_Comm_revoke)
NOT_THERE(MPIX_Comm_shrink)
NOT_THERE(MPIX_Delete_error_class)
NOT_THERE(MPIX_Delete_error_code)
NOT_THERE(MPIX_Delete_error_string)
NOT_THERE(MPIX_GPU_query_support)
#define NONE(name)                \
  int P##name(void) { return 0; } \
  ALIAS(name)
NONE(MPIX_Query_cuda_support)
NONE(MPIX_Query_hip_support)
NONE(MPIX_Query_ze_support)
