/* SPDX-License-Identifier: Apache-2.0
 *
 * What a binding of another language is called by that lies on top of the other MPI's C library: it makes an
 * object, and says right after that how the functions are called that the object was made with. */
#ifndef SKEIN_FOREIGN_SPECIAL_H
#define SKEIN_FOREIGN_SPECIAL_H

#include "convert.h"

/* As binding(in, inout, count, type, function). */
void skein_call_last_operation_by(void (*binding)());
/* The same, with the count, an int, and the type by value. */
void skein_call_last_operation_by_value(void (*binding)());
/* The same, where the function that the object was made with is the binding. */
void skein_call_last_operation_of(void (*function)());
/* As binding(kind, object, error, function); kind 0: communicator, 1: window, 2: file. */
void skein_call_last_handler_by(void (*binding)());
/* As copy(function, object, key, state, kind of value, value, copied value, flag) and
 * remove(function, object, key, kind of value, value, state). */
void skein_call_last_key_by(int (*copy)(), int (*remove)());
/* As Fortran calls: all by reference, the error comes last. */
void skein_call_last_generalized_by_reference(void);

#endif
