// SPDX-License-Identifier: Apache-2.0
// dislocations: dislocation dynamics, an MPI program. See ../README.md.
#include <mpi.h>

#include <algorithm>
#include <cstdio>

#include "apps/common/mpi_main.hpp"
#include "apps/dislocations/totals.hpp"
#include "balance.hpp"
#include "options.hpp"

// Present when the program runs on a runtime that can move ranks; absent under a plain MPI library.
extern "C" int MPI_Migrate(void) __attribute__((weak));

namespace dislocations {
namespace {

class Simulation {
 public:
  /// Collective. Throws std::runtime_error on all processes.
  Simulation(const MpiCommandLine& line, int rank)
      : line_(line),
        rank_(rank),
        balancer_(MPI_COMM_WORLD, line),
        process_(MPI_COMM_WORLD, line.parameters, balancer_.owner_of()),
        report_(line.parameters) {}

  /// Runs the steps. Collective. Throws std::runtime_error on process 0 if the file cannot be written.
  void run() {
    const Parameters& parameters = line_.parameters;
    if (rank_ == 0) report_.begin();
    report(0);
    for (int step = 1; step <= parameters.steps; ++step) {
      process_.step(step);
      if (parameters.reports_at(step)) report(step);
      if (step % line_.balance == 0) balancer_.balance(process_, step, line_.balance);
      if (line_.migrate > 0 && step % line_.migrate == 0 && MPI_Migrate) MPI_Migrate();
    }
    finish();
  }

 private:
  void report(int step) {
    last_ = {};
    for (const Totals& totals :
         apps::gather<Totals>(MPI_COMM_WORLD, {totals_of(line_.parameters.box, process_.nodes())}))
      last_ += totals;
    if (rank_ == 0) report_.interval(step, last_);
  }

  void finish() {
    const std::vector<std::uint64_t> all =
        apps::gather<std::uint64_t>(MPI_COMM_WORLD, {process_.evaluations()});
    if (rank_ == 0) {
      double sum = 0;
      for (const std::uint64_t one : all) sum += static_cast<double>(one);
      const double mean = sum / static_cast<double>(all.size());
      report_.end(last_);
      std::printf("stresses: %.0f a process, imbalance %.1f %%\n", mean,
                  mean > 0 ? 100 * (static_cast<double>(*std::ranges::max_element(all)) / mean - 1) : 0.0);
    }
    if (line_.write.empty()) return;
    std::vector<Node> mine;
    for (const auto& [id, node] : process_.nodes()) mine.push_back(node);
    std::vector<Node> nodes = apps::gather(MPI_COMM_WORLD, mine);
    if (rank_ == 0) write_segments(line_.write, line_.parameters.box, std::move(nodes));
  }

  MpiCommandLine line_;
  int rank_;
  Balancer balancer_;
  Process process_;
  Report report_;
  Totals last_;  // on process 0
};

}  // namespace
}  // namespace dislocations

int main(int argc, char** argv) {
  using namespace dislocations;
  return apps::mpi_main<MpiCommandLine>(
      "dislocations", argc, argv, [](const auto& words, auto& line) { return read(words, line); },
      [](const MpiCommandLine& line, int rank) { Simulation(line, rank).run(); });
}
