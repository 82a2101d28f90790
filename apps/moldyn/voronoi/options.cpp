// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <algorithm>
#include <map>

#include "apps/common/command_line.hpp"

namespace moldyn {
namespace {

template <class E, std::size_t n>
CLI::CheckedTransformer one_of(const std::array<const char*, n>& names) {
  std::map<std::string, E> values;
  std::string all;
  for (std::size_t k = 0; k < n; ++k) {
    values[names[k]] = static_cast<E>(k);
    all += (k > 0 ? "|" : "") + std::string(names[k]);
  }
  CLI::CheckedTransformer transformer(values);
  transformer.description(all);
  return transformer;
}

void check(const VoronoiCommandLine& line, int processes) {
  if (line.parameters.scenario != Scenario::wire)
    throw CLI::ValidationError("--scenario",
                               "only the wire is possible here, which leaves the box's faces free");
  const int centres = line.placement.across * line.placement.along;
  if (centres != processes)
    throw CLI::ValidationError("--grid", std::to_string(centres) + " centres, but there are " +
                                             std::to_string(processes) + " processes: each has one");
}

}  // namespace

std::optional<int> read(const std::vector<std::string>& words, int processes, VoronoiCommandLine& line) {
  CLI::App app("Molecular dynamics of a metal wire with point-centred domains, in reduced units.",
               "moldyn_voronoi");
  line.parameters.scenario = Scenario::wire;
  const std::function<void()> complete = declare(app, line);
  const auto option = [&](const char* name, auto& value, const char* help) {
    return apps::option(app, name, value, help);
  };
  std::vector<int> grid{1, processes};
  option("--grid", grid, "centres across and along the wire")
      ->delimiter('x')
      ->expected(2)
      ->check(CLI::Range(1, 100'000));
  option("--frame", line.placement.frame, "what the grid fills: 0, the wire, to 1, the box with its void")
      ->check(CLI::Range(0.0, 1.0));
  option("--skew", line.placement.skew, "above 1 centres are denser on the left")
      ->check(CLI::Range(0.1, 10.0));
  option("--jitter", line.placement.jitter, "each centre is moved by so many spacings at most")
      ->check(CLI::Range(0.0, 1.0));
  option("--balance", line.balance, "what is done every --settle x --sync steps")
      ->default_str(balance_names[static_cast<std::size_t>(line.balance)])
      ->transform(one_of<Balance>(balance_names));
  option("--by", line.by, "what balancing takes for a load")
      ->default_str(abstraction_names[static_cast<std::size_t>(line.by)])
      ->transform(one_of<Abstraction>(abstraction_names));
  option("--rate", line.diffusion.rate, "of diffusion: how far a centre goes, in distances of neighbours")
      ->check(CLI::Range(0.0, 10.0));
  option("--limit", line.diffusion.limit, "of diffusion: how far at most, in distances to the next centre")
      ->check(CLI::Range(0.0, 0.5));
  option("--koradi-steps", line.koradi.steps, "of the global method, at most")->check(CLI::Range(1, 100'000));
  option("--sample", line.sample, "one of so many atoms is told to who decides")
      ->check(CLI::Range(1, 1'000'000));
  option("--ahead", line.ahead, "intervals that the model looks ahead; 0: to the end of the run")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_flag("--judge", line.judge, "tells what the advisor says of each abstraction, each time");
  app.add_flag("--loads", line.loads, "tells what each process has done in the run");
  return apps::read(
      app, words,
      [&] {
        complete();
        line.placement.across = grid[0], line.placement.along = grid[1];
        check(line, processes);
      },
      "");
}

}  // namespace moldyn
