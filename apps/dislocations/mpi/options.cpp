// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <map>

#include "apps/common/command_line.hpp"

namespace dislocations {
namespace {

const std::map<std::string, Partition> partitions{
    {"none", Partition::none}, {"sections", Partition::sections}, {"advisor", Partition::advisor}};
const std::map<std::string, Calipers> calipers{{"time", Calipers::time},
                                               {"evaluations", Calipers::evaluations}};

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, MpiCommandLine& line) {
  CLI::App app("Dislocation dynamics; lengths in Burgers vectors, stresses in shear moduli.", "dislocations");
  declare(app, line);
  apps::option(app, "--partition", line.partition, "who gets what, by the loads that the calipers measure")
      ->default_str("sections")
      ->transform(CLI::CheckedTransformer(partitions).description("none|sections|advisor"));
  apps::option(app, "--calipers", line.calipers,
               "what they measure of the forces: processor time, or how many stresses")
      ->default_str("time")
      ->transform(CLI::CheckedTransformer(calipers).description("time|evaluations"));
  apps::option(app, "--horizon", line.horizon,
               "steps that the advisor is to expect balance to matter for; 0: as many as there have been")
      ->check(CLI::Range(0, 1'000'000'000));
  apps::option(app, "--balance", line.balance, "every so many steps")->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--dims", line.dims, "sections along X, Y and Z (default: what MPI_Dims_create() gives)")
      ->delimiter('x')
      ->check(CLI::Range(1, 1'000'000));
  apps::option(app, "--migrate", line.migrate, "calls MPI_Migrate() every so many steps, where there is one")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_option("--loads", line.loads, "file for the loads of each process between two balancings");
  return apps::read(
      app, words, [&] { check(line.parameters); }, "");
}

}  // namespace dislocations
