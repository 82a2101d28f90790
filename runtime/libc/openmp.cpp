// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/openmp.hpp"

#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/rank/end_job.hpp"

namespace skein::libc {

bool refuse_openmp_threads = true;

namespace {

constexpr std::string_view kOpenmpNames[] = {"omp_set_num_threads",
                                             "omp_set_num_threads_",
                                             "omp_set_num_threads_8_",
                                             "omp_get_num_procs",
                                             "omp_get_num_procs_",
                                             "GOMP_parallel",
                                             "GOMP_parallel_sections",
                                             "GOMP_parallel_reductions",
                                             "GOMP_parallel_loop_static",
                                             "GOMP_parallel_loop_dynamic",
                                             "GOMP_parallel_loop_guided",
                                             "GOMP_parallel_loop_runtime",
                                             "GOMP_parallel_loop_nonmonotonic_dynamic",
                                             "GOMP_parallel_loop_nonmonotonic_guided",
                                             "GOMP_parallel_loop_nonmonotonic_runtime",
                                             "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
                                             "__kmpc_fork_call",
                                             "__kmpc_push_num_threads"};

void openmp_threads_wanted(int threads, bool by_clause) {
  if (!refuse_openmp_threads) return;
  end_job_plainly(
      calling_rank("an OpenMP region"), 1,
      "an OpenMP region asks for %d threads by %s, and a rank has one: work that is divided by that number "
      "would be done in part. Run more ranks and no threads (-n); or, if the program works with whatever "
      "threads a region has, let it run on one (--threads=one)",
      threads, by_clause ? "its clause num_threads" : "omp_set_num_threads()");
}

}  // namespace

std::span<const std::string_view> openmp_symbols() { return kOpenmpNames; }

const Overrides openmp_overrides({{"skein_openmp_threads_wanted", address_of(openmp_threads_wanted)}});

}  // namespace skein::libc
