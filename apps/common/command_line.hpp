// SPDX-License-Identifier: Apache-2.0
// What the command lines of the programs here have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace apps {

/// As skein::Job::arguments() has it.
using Words = std::vector<std::string>;

/// An option whose help tells its default.
template <class T>
CLI::Option* option(CLI::App& app, const char* name, T& value, const char* help) {
  return app.add_option(name, value, help)->capture_default_str();
}

/// Reads the words, then calls complete(), which may throw a CLI::ParseError too. What it returns is the exit
/// status if the program is to end now: 0 after --help, another after a mistake, which it has told.
/// `footer`: of the help.
template <class F>
std::optional<int> read(CLI::App& app, Words words, F complete,
                        const char* footer = "Options of the runtime begin with --skein.") {
  app.footer(footer);
  try {
    std::ranges::reverse(words);  // the order that CLI11 takes them in
    app.parse(words);
    complete();
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return std::nullopt;
}

}  // namespace apps
