// SPDX-License-Identifier: Apache-2.0
// What a PE keeps of reserved PEs: whether they answer, and who waits for them.
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
  std::vector<double> heard_at;  // of reserved PEs
  double called_at = 0, looked_at = 0;
  double done_since = 0;  // all objects have ended, and reserved PEs are lost; 0: not so
  bool lost = false, ending = false;
};

enum class Standing : std::uint8_t;
struct StandingOfPe {
  void (*release)() = nullptr;
  std::uint64_t round = 0;
  std::optional<lb::lazy::Stand> said;  // in this round
  Standing verdict{};                   // of the witness, on it: waits, at first
};

struct InStep {
  lb::Mode mode;
  std::uint64_t call = 0;  // that this PE waits in, since
  double since = 0;
  bool said = false;                // of this call
  std::vector<std::uint64_t> come;  // on PE 0, by PE: the last call that it said it waits in
  bool told = false;                // and has gone on since, if not
};

struct Reserved {
  AnswerWatch watch;
  StandingOfPe standing;
  InStep in_step;
};
extern PerRuntime<Reserved> reserved;

}  // namespace skein::balance
