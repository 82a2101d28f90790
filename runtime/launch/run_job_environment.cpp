// SPDX-License-Identifier: Apache-2.0
// The environment of ranks.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "runtime/base/log.hpp"
#include "runtime/launch/run_job.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::launch {
namespace {

void warn_of_thread_limit(const std::string& openmp_threads) {
  if (net::world.pe == 0 && openmp_threads != "1")
    SKEIN_WARN("OMP_NUM_THREADS=%s counts as 1: ranks have one thread each; run more ranks instead",
               openmp_threads.c_str());
}

/// Warns of threads before the program notices by itself.
void warn_of_threads(const image::ElfFile& program) {
  if (net::world.pe != 0) return;
  if (refers_to(program, "GOMP_parallel") || refers_to(program, "__kmpc_fork_call"))
    SKEIN_WARN("the program has OpenMP regions: each runs on one thread in a rank; run more ranks instead");
  if (refers_to(program, "pthread_create") || refers_to(program, "thrd_create") ||
      refers_to(program, "_ZNSt6thread15_M_start_thread"))
    SKEIN_WARN("the program can start threads, which fails in a rank (EAGAIN); run more ranks instead");
}

}  // namespace

bool refers_to(const image::ElfFile& file, std::string_view beginning) {
  return std::ranges::any_of(file.symbols, [&](const image::Symbol& symbol) {
    return !symbol.defined && symbol.name.starts_with(beginning);
  });
}

std::string set_environment() {
  const char* const openmp_threads = getenv("OMP_NUM_THREADS");
  std::string before = openmp_threads ? openmp_threads : "1";
  setenv("OMP_PROC_BIND", "false", 1);
  for (const char* places : {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) unsetenv(places);
  setenv("KMP_DUPLICATE_LIB_OK", "TRUE", 1);
  for (const char* one : {"OMP_NUM_THREADS", "OMP_THREAD_LIMIT"}) setenv(one, "1", 1);
  for (const char* pool : {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS",
                           "NUMEXPR_NUM_THREADS", "SCOTCH_PTHREAD_NUMBER"})
    setenv(pool, "1", 1);
  setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "1", 0);
  return before;
}

std::string share_environment(const image::Program& program, const std::string& openmp_threads,
                              const checkpoint::State* from) {
  warn_of_thread_limit(openmp_threads);
  warn_of_threads(program.images().front()->file);
  const std::vector<char> here = libc::flatten_environment(environ);
  const std::string_view mine =
      from ? std::string_view(from->manifest.environment) : std::string_view(here.data(), here.size());
  std::string shared = net::broadcast_text(mine, 0);
  libc::set_job_environment({shared.begin(), shared.end()});
  return shared;
}

}  // namespace skein::launch
