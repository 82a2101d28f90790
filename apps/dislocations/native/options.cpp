// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "apps/common/command_line.hpp"

namespace dislocations {

std::optional<int> read(const std::vector<std::string>& words, NativeCommandLine& line) {
  CLI::App app("Dislocation dynamics; lengths in Burgers vectors, stresses in shear moduli.",
               "dislocations_native");
  declare(app, line);
  apps::option(app, "--sync", line.sync, "sync point every so many steps")
      ->check(CLI::Range(1, 1'000'000'000));
  return apps::read(app, words, [&] { check(line.parameters); });
}

}  // namespace dislocations
