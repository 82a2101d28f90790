// SPDX-License-Identifier: Apache-2.0
// Starts the cells and reports on them: one element, which stays on PE 0.
#pragma once

#include <chrono>
#include <skein/skein.hpp>
#include <string>
#include <vector>

#include "parameters.hpp"
#include "totals.hpp"

namespace moldyn {

class Cell;
class Post;

/// The report of a cell at an interval, or of all cells together.
struct Report {
  Totals totals;
  std::uint64_t fingerprint = 0;  ///< of all atoms
  std::int32_t step = 0;
  std::int32_t fullest = 0;  ///< most atoms in a cell
};

struct AddReports {
  void operator()(Report& into, const Report& with) const;
};
inline constexpr AddReports add_reports;

class Director : public skein::Chare<Director, skein::Index1> {
 public:
  /// `file`: for the atoms at the end; empty: none.
  Director(const Parameters& parameters, const std::string& file) : parameters_(parameters), file_(file) {
    pin();
  }

  void run(skein::Array<Cell> cells, skein::Array<Post> posts);
  /// Called when the cells have their atoms.
  void populated(const Totals& totals);
  void report(const Report& report);
  void write(std::vector<FinalAtom> atoms);

 private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  void finish(const Report& report);

  Parameters parameters_;
  std::string file_;
  skein::Array<Cell> cells_;
  Clock::time_point started_;
  double reported_at_ = 0;  // seconds since the start
  int reported_step_ = 0;
  double first_energy_ = 0;  // per atom, like the next member
  double largest_error_ = 0;
};

}  // namespace moldyn
