// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <map>

#include "apps/common/command_line.hpp"

namespace barneshut {
namespace {

const std::map<std::string, Partition> partitions{{"none", Partition::none},
                                                  {"costzones", Partition::costzones},
                                                  {"orb", Partition::orb},
                                                  {"advisor", Partition::advisor}};

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, MpiCommandLine& line) {
  CLI::App app("Gravity of many bodies by an octree; the gravitational constant is 1.", "barneshut");
  declare(app, line);
  apps::option(app, "--partition", line.partition, "who gets which piece, by the work of each")
      ->default_str("costzones")
      ->transform(CLI::CheckedTransformer(partitions).description("none|costzones|orb|advisor"));
  apps::option(
      app, "--advice", line.asking.strategy,
      "the strategy that the advisor is to ask, NAME[:KEY=VALUE,...]; hyper is told of sampled interactions")
      ->default_str("its own choice");
  apps::option(app, "--horizon", line.asking.horizon,
               "steps that the advisor is to expect balance to matter for; 0: as many as there have been")
      ->check(CLI::Range(0, 1'000'000'000));
  apps::option(app, "--balance", line.balance, "cuts pieces and gives them to processes every so many steps")
      ->check(CLI::Range(1, 1'000'000'000));
  apps::option(app, "--migrate", line.migrate, "calls MPI_Migrate() every so many steps, where there is one")
      ->check(CLI::Range(0, 1'000'000'000));
  return apps::read(
      app, words, [] {}, "");
}

}  // namespace barneshut
