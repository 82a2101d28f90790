// SPDX-License-Identifier: Apache-2.0
// What dlopen() makes of libraries that call MPI. `plugin`: the program; built with -DPLUGIN it is the
// library, and `plugin LIBRARY` has to be refused it, with a word of why.
#include "check.h"

#ifdef PLUGIN

int rank_of_caller(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

#else

#include <dlfcn.h>
#include <string.h>

int main(int argc, char** argv) {
  begin(&argc, &argv);
  CHECK(argc == 2);
  CHECK(dlopen(argv[1], RTLD_NOW) == NULL);
  const char* const why = dlerror();
  CHECK(why && strstr(why, argv[1]) && strstr(why, "MPI_Comm_rank"));
  CHECK(dlerror() == NULL);
  // The MPI that Skein runs on is in the process already: it must not count.
  void* const harmless = dlopen("libm.so.6", RTLD_NOW);
  CHECK(harmless && dlsym(harmless, "cbrt"));
  CHECK(dlclose(harmless) == 0);
  for (int i = 0; i < 10; ++i) maybe_move();
  CHECK(dlopen(argv[1], RTLD_LAZY) == NULL);
  finish("plugin");
}

#endif
