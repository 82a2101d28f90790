// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/native_program.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "runtime/launch/options.hpp"

using namespace skein::launch;

TEST_CASE("native program: its own words keep their places, and the options come back from behind them") {
  const std::vector<const char*> words = {"-p", "2", "--lb", "random", "./ring", "input", "-p"};
  const std::vector<std::string> command = native_command(parse_run(words, {}));
  CHECK(command == std::vector<std::string>{"./ring", "input", "-p", "--skein.pes=2", "--skein.lb=random"});

  std::vector<std::string> kept = command;
  std::vector<char*> argv;
  for (std::string& word : kept) argv.push_back(word.data());
  CHECK(native_option_words(argv) ==
        std::vector<std::string>{"--pes=2", "--lb=random", "./ring", "input", "-p"});
}
