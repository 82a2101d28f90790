// SPDX-License-Identifier: Apache-2.0
// The steps of a run, balancing between them, and the reports of both.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "adviser.hpp"
#include "domain.hpp"
#include "options.hpp"

namespace moldyn {

/// An exception that all processes throw alike.
class ToldToAll : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Simulation {
 public:
  /// Collective. Throws ToldToAll.
  Simulation(MPI_Comm comm, const VoronoiCommandLine& line);

  /// Runs the steps. Collective. Throws ToldToAll; std::runtime_error on one process.
  void run();

 private:
  void begin();
  void balance();
  void report(int step);
  void finish();
  double imbalance_percent(double load) const;
  std::vector<SampledAtom> sample(const Spent& spent) const;
  void tell(const std::string& text) const;

  MPI_Comm comm_;
  int rank_ = 0;
  VoronoiCommandLine line_;
  Clock clock_;
  Domain domain_;
  std::unique_ptr<Adviser> adviser_;  // if it is asked
  Balance balance_;                   // the method; once the model has chosen, its choice
  int step_ = 0;
  int intervals_ = 0;     // finished ones
  double balancing_ = 0;  // instructions of the job
  double last_imbalance_ = 0;
  double first_energy_ = 0, largest_error_ = 0, started_s_ = 0;
  Totals totals_;
  Spent spent_;  // in all finished intervals
};

}  // namespace moldyn
