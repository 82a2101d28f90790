// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/run_command.hpp"

#include <algorithm>
#include <string_view>

namespace skein::tools {
namespace {

/// Options that the configuration decides, or that are about the recorded run alone.
constexpr std::string_view kLeftOut[] = {"--pes",       "--ranks",   "--lb",        "--lb-period",
                                         "--lb-model",  "--lb-mode", "--lb-memory", "--map",
                                         "--lb-report", "--lb-dump", "--trace",     "--pe-speed"};

/// Returns the length of the first word; blanks between single quotes do not end it.
std::size_t word_length(std::string_view text) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size() && (quoted || text[end] != ' '); ++end) quoted ^= text[end] == '\'';
  return end;
}

/// Returns the options to keep. The recorder writes words as --name=value, or '--name=value' in quotes.
std::string kept_options(std::string_view left) {
  std::string kept;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, word_length(left));
    left.remove_prefix(std::min(word.size() + 1, left.size()));
    const std::string_view name = word.substr(word.starts_with('\'') ? 1 : 0);
    if (std::ranges::find(kLeftOut, name.substr(0, name.find('='))) == std::end(kLeftOut))
      kept.append(" ").append(word);
  }
  return kept;
}

/// Returns the option of speeds, if it differs from a run's default.
std::string speed_option(const Stage& stage, const simulate::Platform& platform) {
  using From = lb::PeSpeeds::From;
  switch (stage.pe_speeds.from) {
    case From::file:
      return " --pe-speed " + stage.pe_speeds.file;
    case From::uniform:
      return " --pe-speed uniform";
    default:
      return simulate::speeds_seen(platform, {}).empty() ? "" : " --pe-speed measured";
  }
}

std::string stage_options(const Stage& stage, const simulate::Platform& platform,
                          const tune::Configuration& configuration) {
  std::string options;
  if (stage.policy.placement == simulate::Placement::round_robin) options += " --map round-robin";
  if (configuration.strategy == "none") return options;
  if (!stage.policy.load_model.empty() && stage.policy.load_model != "last")
    options += " --lb-model " + stage.policy.load_model;
  options += speed_option(stage, platform);
  if (stage.memory_bytes) options += " --lb-memory " + std::to_string(stage.memory_bytes);
  return options;
}

}  // namespace

std::string run_command(const trace::Header& header, const tune::Configuration& configuration,
                        const Stage& stage, const simulate::Platform& platform) {
  std::string command = "skein run -p " + std::to_string(configuration.pes);
  if (!header.native) command += " -n " + std::to_string(configuration.ranks);
  if (configuration.strategy != "none")
    command += " --lb " + configuration.strategy + " --lb-period " +
               (configuration.period == 0 ? "auto" : std::to_string(configuration.period));
  if (configuration.mode != "inline") command += " --lb-mode " + configuration.mode;
  return command + stage_options(stage, platform, configuration) + kept_options(header.options) + " " +
         (header.program.empty() ? "PROGRAM" : header.program);
}

}  // namespace skein::tools
