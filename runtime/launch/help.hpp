// SPDX-License-Identifier: Apache-2.0
// The help and docs/cli.md, both made from the tables of commands, options and variables.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace skein::launch {

/// One command of `skein`. `words` follow its name on the command line.
struct Command {
  std::string_view name;
  std::string_view installed_name;  ///< also found under this name (skeincc), or empty
  std::string_view mpi_names;  ///< names in other MPIs, separated by blanks, which have a folder of their own
  std::string_view usage;      ///< the text behind the name
  std::string_view summary;    ///< one line
  std::function<int(std::span<const char* const> words)> run;
  bool has_help = false;  ///< it takes --help
};

/// Returns the output of `skein help`.
std::string commands_help(std::span<const Command> commands);

/// Returns the output of `skein run --help`.
std::string run_help();

/// Returns the output of `skein exec --help`.
std::string exec_help();

/// Returns the output of `skein help --markdown`: the content of docs/cli.md, with the chapters of the tools.
std::string markdown(std::span<const Command> commands, std::string_view tools);

}  // namespace skein::launch
