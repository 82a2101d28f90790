// SPDX-License-Identifier: Apache-2.0
// The help and docs/cli.md, both made from the tables of commands, options and variables.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "runtime/launch/lb_options.hpp"

namespace skein::launch {

/// One command of `skein`. `words` are those behind its name.
struct Command {
  std::string_view name;
  std::string_view installed_name;  ///< also found under this name (skeincc), or empty
  std::string_view mpi_names;  ///< those of other MPIs, separated by blanks: a folder of its own has them
  std::string_view usage;      ///< what follows the name
  std::string_view summary;    ///< one line
  int (*run)(std::span<const char* const> words);
};

/// `skein help`.
std::string commands_help(std::span<const Command> commands);

/// `skein run --help`.
std::string run_help();

/// `skein exec --help`.
std::string exec_help();

/// `skein lb --help`, and that of one of its subcommands.
std::string lb_help(std::span<const LbSubcommand> subcommands);
std::string lb_subcommand_help(const LbSubcommand& subcommand);

/// `skein help --markdown`: the content of docs/cli.md.
std::string markdown(std::span<const Command> commands, std::span<const LbSubcommand> subcommands);

}  // namespace skein::launch
