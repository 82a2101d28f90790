// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/files.hpp"

#include <algorithm>

#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/transport.hpp"

namespace skein::launch {
std::string file_of_job(const std::string& file, int rank, int number) {
  std::string which;
  if (rank > 0) which = format("-rank%d", rank);
  if (number > 1) which += format("-%d", number);
  const std::size_t slash = file.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = std::min(file.find('.', name + 1), file.size());
  std::string named = file;
  return named.insert(dot, which);
}

void name_files_of_job(RunOptions& run, int number) {
  int rank_and_number[] = {net::process_rank(), number};
  net::broadcast(rank_and_number, sizeof rank_and_number, 0);
  for (std::string* const file : {&run.trace.file, &run.lb_report, &run.lb_dump}) {
    if (file->empty()) continue;
    const std::string of_job = file_of_job(*file, rank_and_number[0], rank_and_number[1]);
    if (of_job != *file && net::world.pe == 0)
      log_line("skein: job %d of those that process %d leads writes %s instead of %s", rank_and_number[1],
               rank_and_number[0], of_job.c_str(), file->c_str());
    *file = of_job;
  }
}

}  // namespace skein::launch
