/* SPDX-License-Identifier: Apache-2.0
   Link-time stand-in for the functions of the runner; never loaded. */
#include <stdlib.h>

#include "harness.h"

int skein_test_rank(void) { abort(); }
void skein_test_yield(void) { abort(); }
void skein_test_fail(const char* file, int line, const char* condition) {
  (void)file, (void)line, (void)condition;
  abort();
}
void skein_test_reached(const char* place) {
  (void)place;
  abort();
}

/* The names by which Fortran calls them. */
int skein_test_rank_(void);
void skein_test_yield_(void);
int skein_test_rank_(void) { abort(); }
void skein_test_yield_(void) { abort(); }
