// SPDX-License-Identifier: Apache-2.0
// Explores all interleavings of a small job: every order in which objects come to sync points and end,
// messages arrive (those of a pair of PEs in order), decisions get ready, the coordinator falls silent, its
// PE stops and perhaps goes on, and the witness gives it up. It checks the invariants in every state that can
// be reached, and that every job ends.
#pragma once
#include <cstddef>
#include <deque>
#include <set>
#include <vector>

#include "lazy_moves.hpp"

namespace lazy_model {

class Explorer {
 public:
  explicit Explorer(const Job& job);
  Explorer(const Explorer&) = delete;

  std::size_t states() const { return seen_.size(); }
  int most_applications() const { return most_applications_; }

 private:
  void add(State state);
  void expand(const State& state);

  const Job job_;
  const Moves moves_{job_};
  std::set<State> seen_;
  std::deque<State> open_;
  int most_applications_ = 0;
};

inline std::vector<Wait> all_waits() { return {std::nullopt, 0, 1, 2}; }

}  // namespace lazy_model
