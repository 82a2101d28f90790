// SPDX-License-Identifier: Apache-2.0
// A program without OpenMP that loads by dlopen(), twice, the library with regions that the environment names
// (PLUGIN; threads_wanted.c, built with -DPLUGIN), and so the OpenMP library. Its arguments are those of
// threads_wanted.c.
#include <dlfcn.h>

#include "check.h"

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  maybe_move();
  for (int time = 0; time < 2; ++time) {
    void* const plugin = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (!plugin) fprintf(stderr, "%s\n", dlerror());
    CHECK(plugin);
    int (*const try_threads)(int, const char*, int) =
        (int (*)(int, const char*, int))dlsym(plugin, "try_threads");
    CHECK(try_threads && try_threads(my_rank, time == 0 || argc < 2 ? "none" : argv[1], argc > 2));
    CHECK(dlclose(plugin) == 0);
    maybe_move();
  }
  finish("threads_plugin");
  return 0;
}
