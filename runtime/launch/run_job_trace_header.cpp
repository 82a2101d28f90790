// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/run_job.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include "runtime/base/error.hpp"
#include "runtime/net/transport.hpp"

namespace skein::launch {
namespace {

/// Returns the kernel's name of the processor; empty if it has none.
std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return "";
}

std::string machine_text() {
  char host[256] = "";
  (void)gethostname(host, sizeof host - 1);
  return format("%s, %d node%s, %s", host, net::world.nodes, net::world.nodes == 1 ? "" : "s",
                processor_model().c_str());
}

void append_word(std::string& line, const std::string& word) {
  if (!line.empty()) line += ' ';
  const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`*?") == std::string::npos;
  line += plain ? word : "'" + word + "'";
}

}  // namespace

trace::Header trace_header(const RunOptions& run) {
  trace::Header header;
  append_word(header.program, run.program);
  for (const std::string& word : run.args) append_word(header.program, word);
  for (const std::string& word : run.given) append_word(header.options, word);
  header.machine = machine_text();
  header.pes = static_cast<trace::PeIndex>(run.computing_pes());
  header.ends_only = run.trace.last_seconds > 0;
  header.counters = run.trace.counters;
  return header;
}

}  // namespace skein::launch
