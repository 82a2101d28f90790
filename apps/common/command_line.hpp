// SPDX-License-Identifier: Apache-2.0
// The common part of the command lines of the programs here.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace apps {

/// The words of a command line, as skein::Job::arguments() has them.
using Words = std::vector<std::string>;

/// Adds an option whose help shows its default.
template <class T>
CLI::Option* option(CLI::App& app, const char* name, T& value, const char* help) {
  return app.add_option(name, value, help)->capture_default_str();
}

/// Reads the words, then calls complete(), which may also throw a CLI::ParseError. Returns the exit status if
/// the program is to end now: 0 after --help, another after a mistake, which it has reported. `footer`: of
/// the help.
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
