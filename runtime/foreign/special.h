/* SPDX-License-Identifier: Apache-2.0
 *
 * For a binding of another language that lies on top of the other MPI's C library: it makes an object, and
 * right after that says how to call the functions that it made the object with. */
#ifndef SKEIN_FOREIGN_SPECIAL_H
#define SKEIN_FOREIGN_SPECIAL_H

#include "convert.h"

/* Calls the last operation as binding(in, inout, count, type, function). */
void skein_call_last_operation_by(void (*binding)());
/* Calls the last operation by a binding that takes the count, an int, and the type by value. */
void skein_call_last_operation_by_value(void (*binding)());
/* Calls the last operation by the binding that it was made with, for `function`. */
void skein_call_last_operation_of(void (*function)());
/* Calls the last handler as binding(kind, object, error, function); kind 0: communicator, 1: window, 2: file.
 */
void skein_call_last_handler_by(void (*binding)());
/* Calls the last key's functions as copy(function, object, key, state, kind of value, value, copied value,
 * flag) and remove(function, object, key, kind of value, value, state). */
void skein_call_last_key_by(int (*copy)(), int (*remove)());
/* Calls the last generalized request's functions like Fortran: all by reference, the error last. */
void skein_call_last_generalized_by_reference(void);

#endif
