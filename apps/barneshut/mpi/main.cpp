// SPDX-License-Identifier: Apache-2.0
// barneshut: gravity of many bodies by an octree, an MPI program. See ../README.md.
#include <mpi.h>

#include <cstdio>

#include "apps/barneshut/totals.hpp"
#include "apps/common/mpi_main.hpp"
#include "balance.hpp"
#include "options.hpp"

// Present when the program runs on a runtime that can move ranks; absent under a plain MPI library.
extern "C" int MPI_Migrate(void) __attribute__((weak));

namespace barneshut {
namespace {

class Simulation {
 public:
  /// Collective. Throws alike on all processes.
  Simulation(const MpiCommandLine& line, int rank)
      : line_(line),
        rank_(rank),
        domain_(MPI_COMM_WORLD, line.parameters),
        balancer_(MPI_COMM_WORLD, line.partition, line.asking),
        report_(line.parameters) {}

  /// Runs the steps. Collective. Throws std::runtime_error on all processes, or, if the file cannot be
  /// written, on process 0.
  void run() {
    const Parameters& parameters = line_.parameters;
    if (rank_ == 0) report_.begin();
    for (int step = 0; step <= parameters.steps; ++step) {
      if (step > 0) {
        drift();
        domain_.settle();
      }
      attract();
      if (step > 0) kick();
      if (parameters.reports_at(step)) report(step);
      if (step == parameters.steps) break;
      if (step % line_.balance == 0) balancer_.balance(domain_, step == 0 ? 1 : line_.balance);
      if (step > 0 && line_.migrate > 0 && step % line_.migrate == 0 && MPI_Migrate) MPI_Migrate();
    }
    finish();
  }

 private:
  // A step of the leapfrog: half a kick, drift, forces at the new places, half a kick.
  void kick() {
    for (Body& body : domain_.bodies()) body.v += (0.5 * line_.parameters.time_step) * body.a;
  }
  void drift() {
    kick();
    for (Body& body : domain_.bodies()) body.x += line_.parameters.time_step * body.v;
  }

  void attract() {
    domain_.attract();
    balancer_.add_work(domain_.take_work_s());
    for (const Body& body : domain_.bodies()) interactions_ += body.interactions;
  }

  void report(int step) {
    last_ = {};
    for (const Totals& totals : gather<Totals>(MPI_COMM_WORLD, {totals_of(domain_.bodies())}))
      last_ += totals;
    if (rank_ == 0) report_.interval(step, last_);
  }

  void finish() {
    const std::vector<std::uint64_t> interactions = gather<std::uint64_t>(MPI_COMM_WORLD, {interactions_});
    if (rank_ == 0) {
      std::uint64_t sum = 0, most = 0;
      for (const std::uint64_t one : interactions) sum += one, most = std::max(most, one);
      const double mean = static_cast<double>(sum) / static_cast<double>(interactions.size());
      report_.end(last_);
      std::printf("interactions: %.0f a process, imbalance %.1f %%\n", mean,
                  100 * (static_cast<double>(most) / mean - 1));
    }
    if (line_.write.empty()) return;
    const std::vector<Body> all = gather(MPI_COMM_WORLD, domain_.bodies());
    if (rank_ == 0) write_bodies(line_.write, line_.parameters, all);
  }

  MpiCommandLine line_;
  int rank_;
  Domain domain_;
  Balancer balancer_;
  Report report_;
  Totals last_;                     // on process 0
  std::uint64_t interactions_ = 0;  // of this process, in all steps
};

}  // namespace
}  // namespace barneshut

int main(int argc, char** argv) {
  using namespace barneshut;
  return apps::mpi_main<MpiCommandLine>(
      "barneshut", argc, argv, [](const auto& words, auto& line) { return read(words, line); },
      [](const MpiCommandLine& line, int rank) { Simulation(line, rank).run(); });
}
