// SPDX-License-Identifier: Apache-2.0
// A hybrid program that wants more threads than a rank has, in the way that the first argument names: `none`,
// `call`, `clause`, `loop`, `sections`, `dynamic`. Its work is divided by the number of threads that the
// library reports, or, with `region` behind it, by that of the region. Compiled by GCC and by clang, and with
// -DPLUGIN as a library for threads_plugin.c.
#include <omp.h>
#include <string.h>

#include "check.h"

enum { items = 1000 };

static int divided_by_region;

/// Does the part of the calling thread.
static int part(int all) {
  const int threads = divided_by_region ? omp_get_num_threads() : all, self = omp_get_thread_num();
  return items * (self + 1) / threads - items * self / threads;
}

static int work(const char* how) {
  const int all = omp_get_max_threads();
  int done = 0;
  if (strcmp(how, "clause") == 0) {
#pragma omp parallel num_threads(4) reduction(+ : done)
    done += part(4);
  } else if (strcmp(how, "loop") == 0) {
#pragma omp parallel for schedule(dynamic, 7) num_threads(4) reduction(+ : done)
    for (int i = 0; i < items; ++i) ++done;
  } else if (strcmp(how, "sections") == 0) {
#pragma omp parallel sections num_threads(2) reduction(+ : done)
    {
#pragma omp section
      done += items / 2;
#pragma omp section
      done += items / 2;
    }
  } else {
#pragma omp parallel reduction(+ : done)
    done += part(all);
  }
  return done;
}

/// Returns true if all of the work was done.
int try_threads(int rank, const char* how, int by_region);

int try_threads(int rank, const char* how, int by_region) {
  my_rank = rank;
  divided_by_region = by_region;
  CHECK(omp_get_max_threads() == 1 && omp_get_thread_limit() == 1 && omp_get_num_procs() == 1);
  omp_set_num_threads(omp_get_num_procs());
  CHECK(work("none") == items);
  maybe_move();
  if (strcmp(how, "dynamic") == 0) omp_set_dynamic(1);
  if (strcmp(how, "call") == 0 || strcmp(how, "dynamic") == 0) omp_set_num_threads(4);
  CHECK(omp_get_max_threads() == 1);
  CHECK(work(how) == items);
  maybe_move();
  return work(how) == items && omp_get_max_threads() == 1;
}

#if !defined(PLUGIN)
int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  CHECK(try_threads(rank, argc > 1 ? argv[1] : "none", argc > 2));
  finish("threads_wanted");
  return 0;
}
#endif
