// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/run_command.hpp"

#include <algorithm>
#include <sstream>

namespace skein::tools {
namespace {

// Decided by the configuration, or of the recorded run alone.
constexpr std::string_view left_out[] = {"--pes",   "--ranks",     "--lb",      "--lb-period",
                                         "--trace", "--lb-report", "--lb-dump", "--map"};

/// Words as the recorder writes them: --name=value.
std::string kept_options(const std::string& options) {
  std::string kept;
  std::istringstream words(options);
  for (std::string word; words >> word;)
    if (std::ranges::find(left_out, std::string_view(word).substr(0, word.find('='))) == std::end(left_out))
      kept.append(" ").append(word);
  return kept;
}

}  // namespace

std::string run_command(const trace::Header& header, const tune::Configuration& configuration) {
  std::string command = "skein run -p " + std::to_string(configuration.pes);
  if (!header.native) command += " -n " + std::to_string(configuration.ranks);
  if (configuration.strategy != "none")
    command += " --lb " + configuration.strategy + " --lb-period " +
               (configuration.period == 0 ? "auto" : std::to_string(configuration.period));
  return command + kept_options(header.options) + " " + (header.program.empty() ? "PROGRAM" : header.program);
}

}  // namespace skein::tools
