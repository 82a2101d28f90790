// SPDX-License-Identifier: Apache-2.0
// A PE's state about reserved PEs: whether they answer, and who waits for them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "skein/lb/lazy.hpp"
#include "skein/lb/mode.hpp"
#include "skein/lb/witness.hpp"

namespace skein::balance {

struct AnswerWatch {
  bool on = false;
  lb::Mode mode;
  bool stepping = false;

  /// The state of the witness. Times are seconds().
  lb::lazy::Witness witness;
  std::vector<int> missing;      // reserved PEs that have not answered the last call
  std::vector<double> heard_at;  // when each reserved PE was heard last
  double called_at = 0, looked_at = 0;
  double done_since = 0;  // since when all objects have ended while reserved PEs are lost; 0: not so
  bool lost = false, ending = false;
};

enum class Standing : std::uint8_t;
struct StandingOfPe {
  void (*release)() = nullptr;
  std::uint64_t round = 0;
  std::optional<lb::lazy::Stand> said;  // what this PE said in this round
  Standing verdict{};                   // of the witness, on this round: waits, at first
};

struct InStep {
  lb::Mode mode;
  std::uint64_t call = 0;  // the collective call in which this PE waits, since `since`
  double since = 0;
  bool said = false;                // this PE has said that it waits in this call
  std::vector<std::uint64_t> come;  // on PE 0, by PE: the last call in which it said that it waits
  bool told = false;                // on PE 0: it has reported who is missing, and has not gone on since
};

struct Reserved {
  AnswerWatch watch;
  StandingOfPe standing;
  InStep in_step;
};
extern PerRuntime<Reserved> reserved;

}  // namespace skein::balance
