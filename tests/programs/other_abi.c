// SPDX-License-Identifier: Apache-2.0
// Another implementation's libmpi_abi.so.0, as far as linkers look: a program that loads it gets a message,
// and ends.
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void loaded(void) {
  fprintf(stderr, "the other libmpi_abi.so.0 is loaded\n");
  abort();
}

#define SKEIN_MPI_FUNCTION(result, name, parameters) \
  void name(void) {}                                 \
  void P##name(void) {}
#include <skein_mpi_functions.h>
